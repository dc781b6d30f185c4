import { describe, expect, it } from 'vitest'
import { ofNode, readLinkage, troubleOf } from '../package/linkage.mjs'

const library = (needed: readonly string[], versions: readonly string[], runpath?: string) =>
  [
    'Dynamic section at offset 0x1 contains 3 entries:',
    ...needed.map((name) => ` 0x0000000000000001 (NEEDED)             Shared library: [${name}]`),
    ...(runpath === undefined
      ? []
      : [` 0x000000000000001d (RUNPATH)            Library runpath: [${runpath}]`]),
    '',
    "Version definition section '.gnu.version_d' contains 1 entry:",
    '  000000: Rev: 1  Flags: BASE  Index: 1  Cnt: 1  Name: GLIBC_2.99',
    '',
    "Version needs section '.gnu.version_r' contains 1 entry:",
    '  000000: Version: 1  File: libc.so.6  Cnt: 2',
    ...versions.map((version) => `  0x0010:   Name: ${version}  Flags: none  Version: 5`),
    '',
  ].join('\n')

const trouble = (text: string, where = {}) => troubleOf(readLinkage(text), { beside: [], ...where })

describe('what a library needs', () => {
  it('is read from what readelf prints, with the newest version of each kind', () => {
    const text = library(['libc.so.6'], ['GLIBC_2.9', 'GLIBC_2.28', 'GLIBC_2.3.4'], '$ORIGIN')
    expect(readLinkage(text)).toEqual({
      needed: ['libc.so.6'],
      runpath: '$ORIGIN',
      versions: { GLIBC: '2.28' },
    })
  })

  it('is allowed when it is part of glibc 2.28 or older', () => {
    const names = ['libc.so.6', 'libm.so.6', 'libdl.so.2', 'ld-linux-aarch64.so.1']
    expect(trouble(library(names, ['GLIBC_2.28']))).toEqual([])
  })

  it('is allowed when it is next to the file that needs it', () => {
    const text = library(['libnice.so.10'], [], '$ORIGIN')
    expect(trouble(text, { beside: ['libnice.so.10'] })).toEqual([])
  })

  it.each([
    ['a newer glibc', library([], ['GLIBC_2.29']), 'needs GLIBC_2.29; allowed: 2.28'],
    [
      'a private glibc',
      library([], ['GLIBC_2.28', 'GLIBC_2.34']),
      'needs GLIBC_2.34; allowed: 2.28',
    ],
    ['another C++ library', library([], ['GLIBCXX_3.4']), 'needs GLIBCXX_3.4; allowed: none'],
    [
      'a library that is elsewhere',
      library(['libstdc++.so.6'], [], '$ORIGIN'),
      'needs libstdc++.so.6, which is not next to it',
    ],
  ])('is refused when it is %s', (_, text, sentence) => {
    expect(trouble(text)).toEqual([sentence])
  })

  it('is refused when the file searches for it in a build folder', () => {
    const text = library(['libnice.so.10'], [], '/home/someone/lib')
    expect(trouble(text, { beside: ['libnice.so.10'] })).toEqual([
      'searches for libraries in "/home/someone/lib" instead of $ORIGIN',
    ])
  })

  it('may include an old C++ library, but only for Node', () => {
    const needs = (version: string) => library(['libstdc++.so.6'], [version])
    expect(trouble(needs('GLIBCXX_3.4.21'), { more: ofNode })).toEqual([])
    expect(trouble(needs('GLIBCXX_3.4.26'), { more: ofNode })).toEqual([
      'needs GLIBCXX_3.4.26; allowed: 3.4.25',
    ])
  })
})
