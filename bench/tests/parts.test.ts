import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { comparison } from '../lab/compare.mjs'
import { describePart, partsPage, rateOf } from '../lab/parts.mjs'
import { keep, readResult } from '../lab/results.mjs'
import { samplePart, sampleParts, withTimes } from './sample-parts'
import { sampleResult } from './sample-result'

const rowOf = (text: string, name: string) =>
  text.split('\n').find((line) => line.startsWith(`| ${name} `))

describe('parts of the engine', () => {
  it('have a rate, and a share of their limit as the median of pairs', () => {
    expect(rateOf(samplePart)).toMatchObject({
      rate: { least: 5e8, median: 1e9, most: 2e9 },
      cpu: { median: 4 },
      share: 0.5,
    })
  })

  it('are shown in units of their size, with what limits them', () => {
    const page = partsPage(sampleParts)
    expect(rowOf(page, 'quic')).toMatch(/\| 1 GB\/s +\| 0.5 to 2 +\| 4 +\| 4 GB\/s +\| 50% +\|$/)
    expect(rowOf(page, 'scan')).toMatch(/\| 400 k entries\/s +\| 400 to 400 /)
    expect(page).toContain('load average 1 to 1')
    expect(page).toContain('- scan: a tree, 100000 entries; limit: readdir.')
    expect(describePart(samplePart)).toMatch(/quic +1 GB\/s, 50% of 4 GB\/s/)
  })

  it('are kept as JSON and a page, and read again', () => {
    const folder = folderOfTest()
    keep(sampleParts, folder)
    expect(readdirSync(folder).sort()).toEqual(['engine-0123abcd.json', 'engine-0123abcd.md'])
    expect(readResult('engine-0123abcd', folder)).toEqual(sampleParts)
  })

  it('are compared one by one, and called faster only when their runs are apart', () => {
    const text = comparison(sampleParts, withTimes('scan', [0.1, 0.125, 0.2]))
    expect(rowOf(text, 'scan')).toMatch(/\| 800 k entries\/s .*\| 2 +\| faster +\|$/)
    expect(rowOf(text, 'quic')).toMatch(/\| 1 +\| within spread +\|$/)
    const slower = comparison(sampleParts, withTimes('scan', [1, 1, 1]))
    expect(rowOf(slower, 'scan')).toMatch(/\| 0.25 +\| slower +\|$/)
  })

  it('are not compared with other parts, or with tools', () => {
    const smaller = { ...sampleParts, inMemory: false, parts: [{ ...samplePart, amount: 1e9 }] }
    const text = comparison(sampleParts, smaller)
    expect(rowOf(text, 'quic')).toMatch(/\| +\| different amounts +\|$/)
    expect(rowOf(text, 'scan')).toContain('not measured')
    expect(text).toContain('Only one of them kept its files in memory.')
    expect(() => comparison(sampleParts, sampleResult as never)).toThrow('different scenarios')
  })
})
