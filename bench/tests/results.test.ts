import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keep, nameOf, newestRun, readPublished, readResult } from '../lab/results.mjs'
import { sampleSweep } from './sample-growth'
import { sampleResult } from './sample-result'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'thru-results-'))))
afterEach(() => rmSync(folder, { recursive: true }))

it('keeps a result as JSON, page and plot, and reads it again', () => {
  keep(sampleResult, folder)
  expect(readdirSync(folder).sort()).toEqual(
    ['json', 'md', 'svg'].map((ending) => `wan-0123abcd.${ending}`),
  )
  expect(readResult('wan-0123abcd', folder)).toEqual(sampleResult)
  expect(readResult(join(folder, 'wan-0123abcd.json'))).toEqual(sampleResult)
})

it('tells a path of your own from that of the scenario', () => {
  expect(nameOf({ ...sampleResult, isChanged: true })).toBe('wan-changed-0123abcd')
})

it('keeps a growth in the same way', () => {
  keep(sampleSweep, folder)
  expect(readdirSync(folder)).toHaveLength(3)
  expect(readResult('growth-rtt-0123abcd', folder)).toEqual(sampleSweep)
})

it('writes a line for each tool, at each point of a growth', () => {
  const linesOf = (result: object, name: string) => {
    keep(result, folder, name)
    return readFileSync(join(folder, `${name}.json`), 'utf8').split('\n')
  }
  const tools = linesOf(sampleResult, 'wan').filter((line) => line.startsWith('{"name":'))
  expect(tools).toHaveLength(sampleResult.tools.length)
  const thru = linesOf(sampleSweep, 'rtt').filter((line) =>
    line.startsWith('{"name":"thru","total"'),
  )
  expect(thru).toHaveLength(sampleSweep.points.length)
})

it('keeps a figure that is not known', () => {
  keep({ ...sampleResult, tardy: null }, folder, 'wan', ['json'])
  expect(readPublished('wan', folder)).toMatchObject({ tardy: null })
})

it('publishes a result under the name of its scenario', () => {
  expect(readPublished('wan', folder)).toBeUndefined()
  keep(sampleResult, folder, 'wan', ['json'])
  expect(readdirSync(folder)).toEqual(['wan.json'])
  expect(readPublished('wan', folder)).toEqual(sampleResult)
})

it('finds the newest result of a scenario that was measured as it stands', () => {
  const later = { ...sampleResult, commit: '4567cdef', date: '2026-02-01T00:00:00.000Z' }
  const changed = { ...later, date: '2026-03-01T00:00:00.000Z', isChanged: true }
  const small = { ...changed, scenario: 'wan-small', isChanged: false }
  for (const result of [later, sampleResult, changed, small]) keep(result, folder)
  expect(newestRun('wan', folder)).toEqual(later)
  expect(newestRun('wan-0123abcd', folder)).toEqual(sampleResult)
  expect(() => newestRun('wan-changed-4567cdef', folder) as unknown).toThrow('There is no result')
  expect(() => newestRun('lan', join(folder, 'none')) as unknown).toThrow('npm run bench -- lan')
})

it.each([
  ['is missing', undefined, "can't be read as a result"],
  ['is no JSON', '{"format":', "can't be read as a result"],
  ['is of another version', '{"format":2}', 'is no result of this version'],
  ['holds nothing', 'null', 'is no result of this version'],
])('refuses a file that %s', (_, text, sentence) => {
  const path = join(folder, 'x.json')
  if (text !== undefined) writeFileSync(path, text)
  expect(() => readResult(path) as unknown).toThrow(sentence)
})
