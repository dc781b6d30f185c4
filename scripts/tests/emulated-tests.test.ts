import { describe, expect, it } from 'vitest'
import { loadedLibraries } from '../lib/addon-files.mjs'
import {
  differences,
  interruptedTest,
  outcomeOf,
  resultsOf,
  skippedOf,
} from '../lib/emulated-tests.mjs'

describe('tests of the engine under Wine or qemu', () => {
  const run = (name: string, passed: boolean) => ({
    classname: 'A',
    name,
    result: 'COMPLETED',
    ...(!passed && { failures: [{ failure: 'no' }] }),
  })

  it('are read from the report, apart from those that were skipped', () => {
    const testsuite = [
      run('Works', true),
      run('Fails', false),
      { ...run('S', true), result: 'SKIPPED' },
    ]
    expect(resultsOf({ testsuites: [{ testsuite }] })).toEqual(
      new Map([
        ['A.Works', true],
        ['A.Fails', false],
      ]),
    )
    expect(skippedOf({ testsuites: [{ testsuite }] })).toEqual(['A.S'])
  })

  it('fail when they are not listed, and when a listed one passes', () => {
    const results = new Map([
      ['A.Works', true],
      ['A.Fails', false],
      ['A.Listed', false],
      ['A.Mended', true],
    ])
    const listed = { 'A.Listed': 'a reason', 'A.Mended': 'a reason' }
    expect(differences({ results, listed, list: 'native/tests/wine.json' })).toEqual([
      'A.Fails failed.',
      'A.Mended passes: remove it from native/tests/wine.json.',
    ])
  })

  it('that end the program are found in its last output', () => {
    const begun = '[ RUN      ] A.First\n[       OK ] A.First (1 ms)\n[ RUN      ] A/B.Second/0\n'
    expect(interruptedTest(begun)).toBe('A/B.Second/0')
    expect(interruptedTest(`${begun}[  FAILED  ] A/B.Second/0 (1 ms)\n`)).toBeUndefined()
    expect(interruptedTest('')).toBeUndefined()
  })

  it('are read from the output without a report, and the interrupted one has failed', () => {
    const output =
      '[ RUN      ] A.First\n[       OK ] A.First (1 ms)\n[ RUN      ] A.Second\n[  FAILED  ] A.Second (2 ms)\n'
    const outcome = (said: string) => outcomeOf('', said, 'thru_tests').results
    const both = [
      ['A.First', true],
      ['A.Second', false],
    ] as const
    expect(outcome(`${output}[ RUN      ] A.Third\n`)).toEqual(
      new Map([...both, ['A.Third', false]]),
    )
    expect(outcome(output)).toEqual(
      new Map([...both, ['thru_tests (which ended without a report)', false]]),
    )
  })
})

it('copies the libraries of a program under the names that it loads', () => {
  const files = [
    'libglib-2.0.so',
    'libglib-2.0.so.0',
    'libgthread-2.0.so.0',
    'libglib-2.0.so.0.8400.4',
    'libz.a',
  ]
  expect(loadedLibraries('linux', files)).toEqual(['libglib-2.0.so.0'])
  const dlls = [
    'libglib-2.0-0.dll',
    'libnice-10.dll',
    'gio-querymodules.exe',
    'gspawn-win64-helper.exe',
  ]
  expect(loadedLibraries('win32', dlls)).toEqual(['libglib-2.0-0.dll', 'libnice-10.dll'])
  const dylibs = [
    'libglib-2.0.0.dylib',
    'libgthread-2.0.0.dylib',
    'libintl.8.dylib',
    'libnice.10.dylib',
  ]
  const others = ['libglib-2.0.dylib', 'libintl.a', 'libnice.dylib']
  expect(loadedLibraries('darwin', [...dylibs, ...others])).toEqual(dylibs)
})
