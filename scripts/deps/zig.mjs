#!/usr/bin/env node
// The zig compiler, which compiles C and C++ for macOS and for old glibc without a copy of those systems: from its
// Python package, of one version and hash, into the user's cache. Prints the program's path.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { cacheRoot, hashOfFile, withLock, writeAtomically } from '../lib/cache.mjs'
import { Failure, isMain, runMain, step } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'

const wheel = {
  name: 'ziglang',
  version: '0.15.2',
  // One line for each machine that builds: what pip calls its platform, and the SHA-256 of the file.
  platforms: {
    'linux-x64': {
      tag: 'manylinux_2_12_x86_64',
      sha256: '806316453d1ede7174ed3fefb8e5348154629089c3bb5fe812dfd0e172fac130',
    },
  },
}
const home = join(cacheRoot, 'zig')
const folder = join(home, wheel.version)
const program = join(folder, 'ziglang', 'zig')

/** Downloads and unpacks zig unless an earlier run did; the path of its program. */
export async function prepareZig() {
  if (existsSync(program)) return program
  const platform = wheel.platforms[`${process.platform}-${process.arch}`]
  if (!platform)
    throw new Failure(
      `The compiler for other systems is listed for ${Object.keys(wheel.platforms).join(', ')} only: build there, or add this system to scripts/deps/zig.mjs.`,
    )
  await withLock(join(home, 'prepare.lock'), async () => {
    if (existsSync(program)) return
    await step(`fetching zig ${wheel.version}`, () => fetchWheel(platform))
  })
  return program
}

async function fetchWheel({ tag, sha256 }) {
  const work = join(home, 'work')
  const log = join(home, 'prepare.log')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const python = (...args) => runLogged('fetching zig', 'python3', args, { log })
  try {
    await python(
      ...['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--platform', tag],
      ...['-d', work, `${wheel.name}==${wheel.version}`],
    )
    const file = join(
      work,
      readdirSync(work).find((name) => name.endsWith('.whl')),
    )
    const sum = hashOfFile(file)
    if (sum !== sha256)
      throw new Failure(
        `The package ${wheel.name} ${wheel.version} has SHA-256 ${sum} instead of ${sha256}: do not use it, report this.`,
      )
    const unpacked = join(work, 'unpacked')
    await python('-m', 'zipfile', '-e', file, unpacked)
    chmodSync(join(unpacked, 'ziglang', 'zig'), 0o755)
    rmSync(folder, { recursive: true, force: true })
    renameSync(unpacked, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * The text of a program that is `zig COMMAND ARGS…`: CMake, Meson and the Configure scripts each want the name of one
 * program. What zig keeps of compiled sources goes into a folder that may be removed at any time.
 */
export function toolScript(zig, command, args) {
  const quoted = [zig, command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  return [
    '#!/bin/sh',
    `export ZIG_GLOBAL_CACHE_DIR='${join(home, 'cache')}'`,
    `export ZIG_LOCAL_CACHE_DIR='${join(home, 'objects')}'`,
    `exec ${quoted.join(' ')} "$@"`,
    '',
  ].join('\n')
}

/**
 * The tools for a target in zig's words, such as `aarch64-macos.13.3-none` or `aarch64-linux-gnu.2.28`: paths of
 * programs `{ cc, cxx, ar, ranlib }`.
 */
export async function zigTools(target) {
  const zig = await prepareZig()
  // Without a level of optimisation zig would add checks that end the program.
  const compile = ['-target', target, '-fno-sanitize=undefined']
  const commands = {
    // ccache knows a compiler by its name.
    cc: ['clang', 'cc', compile],
    // zig asks libc++ for the std::unexpected that C++17 removed, which hides C++23's.
    cxx: ['clang++', 'c++', [...compile, '-U_LIBCPP_ENABLE_CXX17_REMOVED_UNEXPECTED_FUNCTIONS']],
    ar: ['ar', 'ar', []],
    ranlib: ['ranlib', 'ranlib', []],
  }
  const tools = {}
  for (const [tool, [name, command, args]] of Object.entries(commands)) {
    const path = join(folder, 'tools', target, name)
    // Rewritten only when it differs: build tools compile everything again after a compiler that is newer.
    const text = toolScript(zig, command, args)
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text)
      writeAtomically(path, text, { mode: 0o755 })
    tools[tool] = path
  }
  return tools
}

if (isMain(import.meta.url)) runMain(async () => console.log(await prepareZig()))
