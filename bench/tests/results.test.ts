import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { keep, nameOf, readResult } from '../lab/results.mjs'
import { sampleResult } from './sample-result'

let folder = ''
beforeEach(() => (folder = folderOfTest()))

it('keeps a result as JSON and a page, and reads it again', () => {
  keep(sampleResult, folder)
  expect(readdirSync(folder).sort()).toEqual(
    ['json', 'md'].map((ending) => `wan-0123abcd.${ending}`),
  )
  expect(readResult('wan-0123abcd', folder)).toEqual(sampleResult)
  expect(readResult(join(folder, 'wan-0123abcd.json'))).toEqual(sampleResult)
})

it("distinguishes your own path from the scenario's", () => {
  expect(nameOf({ ...sampleResult, isChanged: true })).toBe('wan-changed-0123abcd')
})

it.each([
  ['is missing', undefined, "can't be read as a result"],
  ['is no JSON', '{"format":', "can't be read as a result"],
  ['is of another version', '{"format":2}', 'is not a result of this version'],
  ['holds nothing', 'null', 'is not a result of this version'],
])('refuses a file that %s', (_, text, sentence) => {
  const path = join(folder, 'x.json')
  if (text !== undefined) writeFileSync(path, text)
  expect(() => readResult(path) as unknown).toThrow(sentence)
})
