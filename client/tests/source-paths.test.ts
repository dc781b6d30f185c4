import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { absoluteItems, checkSources, titleOf } from '#client/source-paths'

const folder = mkdtempSync(join(tmpdir(), 'thru-sources-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('makes paths absolute and takes each once', () => {
  const text = { kind: 'text', text: 'hi', name: 'Note' } as const
  const path = (name: string) => ({ kind: 'path', path: name }) as const
  expect(absoluteItems([path('a'), text, path('./a/'), path('/b/../c'), text])).toEqual([
    path(resolve('a')),
    text,
    path('/c'),
    text,
  ])
})

it('calls one thing by its name and several by their number', () => {
  expect(titleOf(['/home/mina/video'])).toBe('video')
  expect(titleOf(['/a', '/b', '/c'])).toBe('3 items')
  expect(titleOf(['/'])).toBe('/')
})

describe('checkSources', () => {
  it('keeps the order of what can be offered and says why the rest can not', async () => {
    const file = join(folder, 'file')
    const inner = join(folder, 'inner')
    const missing = join(folder, 'missing')
    const below = join(file, 'below')
    const pipe = join(folder, 'pipe')
    writeFileSync(file, '')
    mkdirSync(inner)
    execFileSync('mkfifo', [pipe])
    const checked = await checkSources([inner, missing, file, pipe, below])
    expect(checked.usable).toEqual([inner, file])
    expect(checked.problems.map(({ path, error }) => [path, error.code])).toEqual([
      [missing, 'E_PATH_NOT_FOUND'],
      [pipe, 'E_PATH_UNSUPPORTED'],
      [below, 'E_PATH_NOT_FOUND'],
    ])
  })

  it.skipIf(process.getuid?.() === 0)('reports what may not be read', async () => {
    const secret = join(folder, 'secret')
    writeFileSync(secret, '')
    chmodSync(secret, 0)
    const checked = await checkSources([secret])
    expect(checked.problems[0]?.error.code).toBe('E_PATH_UNREADABLE')
  })
})
