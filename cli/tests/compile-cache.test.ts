import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { unknownHomes } from '#client/testing/unknown-homes'
import { compile } from '../compile-cache'
import { compiledDirectory } from '../compiled-directory'

const at = temporaryFolder()
const isPosix = process.platform !== 'win32'

const sourceOf = (answer: number) => Buffer.from(`module.exports = { answer: ${answer} }`)

/** Compiles and runs a program that returns `answer`; `keeps` saves the compiled code. */
function start(answer: number, keeps = true, folder: string | null = at('cache')) {
  const { script, isCached, keep } = compile(sourceOf(answer), at('program.cjs'), folder)
  const module = { exports: {} as { readonly answer?: number } }
  const run = script.runInThisContext() as (...args: readonly unknown[]) => void
  run(module.exports, undefined, module, at('program.cjs'), at())
  if (keeps) keep()
  return { isCached, answer: module.exports.answer }
}

const file = (): string => at('cache', readdirSync(at('cache')).join())

describe('a program', () => {
  it('is compiled once for all its starts', () => {
    expect(start(41)).toEqual({ isCached: false, answer: 41 })
    expect(start(41)).toEqual({ isCached: true, answer: 41 })
  })

  it('never runs the compiled code of another program, even of the same length', () => {
    start(41)
    expect(start(42)).toEqual({ isCached: false, answer: 42 })
    expect(start(42)).toEqual({ isCached: true, answer: 42 })
    expect(readdirSync(at('cache'))).toHaveLength(1)
  })

  it.each([
    [
      'in which a byte differs',
      (content: Buffer) => content.map((byte, at) => (at === 99 ? byte ^ 1 : byte)),
    ],
    ['that was cut off', (content: Buffer) => content.subarray(0, -1)],
    ['that is shorter than its seal', () => Buffer.alloc(7)],
    ['that is empty', () => Buffer.alloc(0)],
  ])('passes over a file %s, and replaces it', (_what, damaged) => {
    start(41)
    writeFileSync(file(), damaged(readFileSync(file())))
    expect(start(41)).toEqual({ isCached: false, answer: 41 })
    expect(start(41)).toEqual({ isCached: true, answer: 41 })
  })

  it('starts even if nothing can be saved', () => {
    writeFileSync(at('cache'), 'in the way')
    expect(start(41)).toEqual({ isCached: false, answer: 41 })
    expect(start(41)).toEqual({ isCached: false, answer: 41 })
  })
})

it('a program without a folder starts and saves nothing', () => {
  expect(start(41, true, null)).toEqual({ isCached: false, answer: 41 })
  expect(start(41, true, null)).toEqual({ isCached: false, answer: 41 })
  expect(readdirSync(at())).toEqual([])
})

describe.runIf(isPosix)('compiled code', () => {
  it('is accessible only to this account', () => {
    start(41)
    expect(statSync(at('cache')).mode & 0o777).toBe(0o700)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('is neither read nor written in a folder of all accounts', () => {
    start(41)
    chmodSync(at('cache'), 0o1777)
    expect(start(41)).toEqual({ isCached: false, answer: 41 })
    mkdirSync(at('shared'))
    chmodSync(at('shared'), 0o1777)
    start(41, true, at('shared'))
    expect(readdirSync(at('shared'))).toEqual([])
  })

  it('is ignored once others could have written to it or its folder', () => {
    start(41)
    chmodSync(file(), 0o666)
    expect(start(41)).toEqual({ isCached: false, answer: 41 })
    expect(start(41).isCached).toBe(true)
    chmodSync(at('cache'), 0o777)
    expect(start(41)).toEqual({ isCached: false, answer: 41 })
    expect(start(41).isCached).toBe(true)
    expect(statSync(at('cache')).mode & 0o777).toBe(0o700)
  })

  it("creates no folder in another account's folder", () => {
    const uid = vi.spyOn(process, 'getuid').mockReturnValue(statSync(at()).uid + 1)
    expect(start(41, true, at('.cache', 'thruflux')).isCached).toBe(false)
    uid.mockRestore()
    expect(readdirSync(at())).toEqual([])
  })

  it('is not read through a link', () => {
    start(41)
    const name = file()
    renameSync(name, at('elsewhere'))
    symlinkSync(at('elsewhere'), name)
    expect(start(41, false).isCached).toBe(false)
    expect(existsSync(at('elsewhere'))).toBe(true)
  })
})

it.each([
  ['linux', {}, join('/home/me', '.cache', 'thruflux')],
  ['linux', { XDG_CACHE_HOME: '/fast' }, join('/fast', 'thruflux')],
  ['linux', { XDG_CACHE_HOME: 'not absolute' }, join('/home/me', '.cache', 'thruflux')],
  ['darwin', {}, null],
  ['win32', { LOCALAPPDATA: '/local' }, null],
] as const)('what was compiled on %s with %o is in %s', (platform, env, folder) => {
  expect(compiledDirectory(platform, env, () => '/home/me')).toBe(folder)
})

it.each(unknownHomes)(
  'nothing is saved if the home folder %s, unless a folder is named',
  (_what, home) => {
    expect(compiledDirectory('linux', {}, home)).toBe(null)
    expect(compiledDirectory('linux', { XDG_CACHE_HOME: '/fast' }, home)).toBe(
      join('/fast', 'thruflux'),
    )
  },
)
