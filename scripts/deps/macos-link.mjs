// macos-link.mjs LIST zig-compiler ARGS...: links a shared library for macOS like zig, but with LLVM's linker, which
// exports only the names in LIST and drops unused code, like Apple's. Called by CMake (native/cmake/NodeAddon.cmake).
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { Failure, isMain, runMain } from '../lib/failure.mjs'

const archOf = { aarch64: 'arm64', x86_64: 'x86_64' }

/**
 * Converts the link command that zig printed with ZIG_VERBOSE_LINK into arguments for ld64.lld. `compiler` is the path
 * of a program written by zigTools(), in a folder named after the target, near zig's stub of the system library.
 * @param {string} printed
 * @param {string} compiler
 * @param {string} list
 * @returns {string[]}
 */
export function linkArguments(printed, compiler, list) {
  const line = printed.split('\n').find((each) => each.startsWith('zig ld '))
  if (!line) throw new Failure(`zig no longer prints its link command:\n${printed}`)
  const folder = dirname(compiler)
  const arch = archOf[/[^/]+$/.exec(folder)[0].split('-')[0]]
  return [
    ...['-arch', arch],
    // zig prints an empty -l before a library's path.
    ...line
      .trim()
      .split(' ')
      .slice(2)
      .filter((word) => word !== '-l'),
    `-L${join(folder, '..', '..', 'ziglang', 'lib', 'libc', 'darwin')}`,
    '-dead_strip',
    ...['-exported_symbols_list', list],
  ]
}

async function main([list, compiler, ...args]) {
  const zig = spawnSync(compiler, args, {
    encoding: 'utf8',
    env: { ...process.env, ZIG_VERBOSE_LINK: '1' },
  })
  if (zig.status !== 0) throw new Failure(`zig can't link this:\n${zig.stderr}`)
  const linked = spawnSync('ld64.lld-19', linkArguments(zig.stderr, compiler, list), {
    stdio: 'inherit',
  })
  if (linked.error) throw new Failure('ld64.lld-19 is missing: install the package lld-19.')
  if (linked.status !== 0) throw new Failure("ld64.lld-19 can't link the files that zig linked.")
}

if (isMain(import.meta.url)) runMain(() => main(process.argv.slice(2)))
