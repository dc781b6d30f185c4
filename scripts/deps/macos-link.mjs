// macos-link.mjs LIST zig-compiler ARGS...: links a shared library for macOS as zig would, but by LLVM's linker, which like
// Apple's shows the names of LIST only and leaves out what nothing uses. CMake calls it (native/cmake/NodeAddon.cmake).
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { Failure, isMain, runMain } from '../lib/failure.mjs'

const archOf = { aarch64: 'arm64', x86_64: 'x86_64' }

/**
 * The arguments for ld64.lld of what zig printed with ZIG_VERBOSE_LINK about its own linking. `compiler` is the path of a
 * program that zigTools() wrote, whose folder is named for the target, and which lies beside zig's stub of the system.
 * @param {string} printed
 * @param {string} compiler
 * @param {string} list
 * @returns {string[]}
 */
export function linkArguments(printed, compiler, list) {
  const line = printed.split('\n').find((each) => each.startsWith('zig ld '))
  if (!line) throw new Failure(`zig does not say how it links any more:\n${printed}`)
  const folder = dirname(compiler)
  const arch = archOf[/[^/]+$/.exec(folder)[0].split('-')[0]]
  return [
    ...['-arch', arch],
    // zig prints an empty -l in front of the path of a library.
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
  if (zig.status !== 0) throw new Failure(`zig cannot link this:\n${zig.stderr}`)
  const linked = spawnSync('ld64.lld-19', linkArguments(zig.stderr, compiler, list), {
    stdio: 'inherit',
  })
  if (linked.error) throw new Failure('ld64.lld-19 is missing: install the package lld-19.')
  if (linked.status !== 0) throw new Failure('ld64.lld-19 cannot link what zig has linked.')
}

if (isMain(import.meta.url)) runMain(() => main(process.argv.slice(2)))
