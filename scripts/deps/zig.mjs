// zig (`pythonTools` in native/deps.json) compiles C and C++ for macOS and old glibc without a copy of those systems.
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheRoot, hashOf, withLock, writeAtomically } from '../lib/cache.mjs'
import { pythonTool } from './python-tools.mjs'

const caches = join(cacheRoot, 'zig')

/**
 * Returns a script that runs `zig COMMAND ARGS…`: CMake, Meson and configure scripts require the name of a single
 * program. zig caches compiled sources in a folder that can be deleted at any time.
 */
export function toolScript(zig, command, args) {
  const quoted = [zig, command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  return [
    '#!/bin/sh',
    `export ZIG_GLOBAL_CACHE_DIR='${join(caches, 'cache')}'`,
    `export ZIG_LOCAL_CACHE_DIR='${join(caches, 'objects')}'`,
    // Meson makes thin archives if this help mentions them, but zig's linker can't read those.
    ...(command === 'ar' ? ['[ "$1" != -h ] || exit 1'] : []),
    `exec ${quoted.join(' ')} "$@"`,
    '',
  ].join('\n')
}

/** Headers and stubs that zig's copy of macOS lacks. */
const macosSdk = fileURLToPath(new URL('./macos-sdk', import.meta.url))

/** Copies them out of the checkout to a folder named by their hash, whose path compilers receive. */
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
 * Returns the tools for zig's name of a target, such as `aarch64-macos.13.3` or `aarch64-linux-gnu.2.28`: paths of
 * programs `{ cc, cxx, ar, ranlib }`, and a `version` that also covers our macOS headers.
 */
export async function zigTools(config, target) {
  const home = await pythonTool(config, 'ziglang')
  const zig = join(home, 'ziglang', 'zig')
  chmodSync(zig, 0o755)
  // Without an optimization level, zig would add checks that abort the program.
  const compile = ['-target', target, '-fno-sanitize=undefined']
  const isMacos = target.includes('-macos')
  if (isMacos) {
    const sdk = await copyOfSdk(home)
    compile.push('-isystem', join(sdk, 'include'), `-L${join(sdk, 'lib')}`)
  }
  const commands = {
    // ccache identifies a compiler by its name.
    cc: ['clang', 'cc', compile],
    // zig requests libc++'s std::unexpected, which C++17 removed and which hides C++23's.
    cxx: ['clang++', 'c++', [...compile, '-U_LIBCPP_ENABLE_CXX17_REMOVED_UNEXPECTED_FUNCTIONS']],
    ar: ['ar', 'ar', []],
    ranlib: ['ranlib', 'ranlib', []],
  }
  // zig's clang doesn't report its version if the target's name has one of glibc.
  const version = `zig ${config.pythonTools.ziglang.version}`
  const tools = { version: isMacos ? `${home} ${hashOf(JSON.stringify(commands))}` : version }
  for (const [tool, [name, command, args]] of Object.entries(commands)) {
    const path = join(home, 'targets', target, name)
    // Written only if it differs: build tools recompile everything after a newer compiler.
    const text = toolScript(zig, command, args)
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text)
      writeAtomically(path, text, { mode: 0o755 })
    tools[tool] = path
  }
  return tools
}
