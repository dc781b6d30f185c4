import { expect, test } from 'vitest'
import { linkArguments } from '../deps/macos-link.mjs'

const compiler = '/tools/ziglang/targets/x86_64-macos.13.3/clang++'

test('the arguments of zig are converted for another linker, with the exported names', () => {
  const printed =
    'warning: of the compiler\nzig ld -dylib -o a.node a.o -l /lib/libnice.dylib -lSystem\n'
  expect(linkArguments(printed, compiler, 'names.txt')).toEqual([
    ...['-arch', 'x86_64', '-dylib', '-o', 'a.node', 'a.o', '/lib/libnice.dylib', '-lSystem'],
    ...['-L/tools/ziglang/ziglang/lib/libc/darwin', '-dead_strip'],
    ...['-exported_symbols_list', 'names.txt'],
  ])
})

test('fails if zig prints no link command', () => {
  expect(() => {
    linkArguments('', compiler, 'names.txt')
  }).toThrow('zig no longer prints its link command')
})
