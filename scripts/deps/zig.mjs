// zig compiles C and C++ for macOS and for old glibc without a copy of those systems. Its program comes in a Python
// package (native/deps.json, `pythonTools`).
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheRoot, hashOf, withLock, writeAtomically } from '../lib/cache.mjs'
import { pythonTool } from './python-tools.mjs'

const caches = join(cacheRoot, 'zig')

/**
 * The text of a program that is `zig COMMAND ARGS…`: CMake, Meson and configure scripts each want the name of one
 * program. What zig keeps of compiled sources goes into a folder that may be removed at any time.
 */
export function toolScript(zig, command, args) {
  const quoted = [zig, command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  return [
    '#!/bin/sh',
    `export ZIG_GLOBAL_CACHE_DIR='${join(caches, 'cache')}'`,
    `export ZIG_LOCAL_CACHE_DIR='${join(caches, 'objects')}'`,
    // Meson makes thin archives wherever this help knows them, and zig's linker can't read any.
    ...(command === 'ar' ? ['[ "$1" != -h ] || exit 1'] : []),
    `exec ${quoted.join(' ')} "$@"`,
    '',
  ].join('\n')
}

/** What its headers and stubs of macOS lack. */
const macosSdk = fileURLToPath(new URL('./macos-sdk', import.meta.url))

/** A copy outside of the checkout, which compilers are told by its path: its folder is named by what is in it. */
async function copyOfSdk(home) {
  const files = readdirSync(macosSdk, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const key = hashOf(...files.flatMap((file) => [file.slice(macosSdk.length), readFileSync(file)]))
  const copy = join(home, `macos-sdk-${key.slice(0, 8)}`)
  await withLock(`${copy}.lock`, async () => {
    cpSync(macosSdk, copy, { recursive: true })
  })
  return copy
}

/**
 * The tools for a target in zig's words, such as `aarch64-macos.13.3` or `aarch64-linux-gnu.2.28`: paths of programs
 * `{ cc, cxx, ar, ranlib }`, and a `version`, which stands for our own headers for macOS, too.
 */
export async function zigTools(config, target) {
  const home = await pythonTool(config, 'ziglang')
  const zig = join(home, 'ziglang', 'zig')
  chmodSync(zig, 0o755)
  // Without a level of optimisation zig would add checks that end the program.
  const compile = ['-target', target, '-fno-sanitize=undefined']
  const isMacos = target.includes('-macos')
  if (isMacos) {
    const sdk = await copyOfSdk(home)
    compile.push('-isystem', join(sdk, 'include'), `-L${join(sdk, 'lib')}`)
  }
  const commands = {
    // ccache knows a compiler by its name.
    cc: ['clang', 'cc', compile],
    // zig asks libc++ for the std::unexpected that C++17 removed, which hides C++23's.
    cxx: ['clang++', 'c++', [...compile, '-U_LIBCPP_ENABLE_CXX17_REMOVED_UNEXPECTED_FUNCTIONS']],
    ar: ['ar', 'ar', []],
    ranlib: ['ranlib', 'ranlib', []],
  }
  // Under a target's name with the C library's version zig's clang doesn't tell its own.
  const version = `zig ${config.pythonTools.ziglang.version}`
  const tools = { version: isMacos ? `${home} ${hashOf(JSON.stringify(commands))}` : version }
  for (const [tool, [name, command, args]] of Object.entries(commands)) {
    const path = join(home, 'targets', target, name)
    // Written again only when it differs: build tools compile everything again after a compiler that is newer.
    const text = toolScript(zig, command, args)
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text)
      writeAtomically(path, text, { mode: 0o755 })
    tools[tool] = path
  }
  return tools
}
