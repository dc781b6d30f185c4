import { describe, expect, it } from 'vitest'
import { comparison } from '../lab/compare.mjs'
import { isApart } from '../lab/summary.mjs'
import { sampleResult, withRates } from './sample-result'

const rowOf = (text: string, name: string) =>
  text.split('\n').find((line) => line.startsWith(`| ${name} `))

describe('comparing two results', () => {
  it('calls a tool faster only when its runs are apart', () => {
    expect(isApart({ least: 1, most: 2 }, { least: 3, most: 4 })).toBe(true)
    expect(isApart({ least: 3, most: 4 }, { least: 1, most: 2 })).toBe(true)
    expect(isApart({ least: 1, most: 3 }, { least: 2, most: 4 })).toBe(false)
  })

  it('shows spread, share, ratio and verdict', () => {
    const text = comparison(sampleResult, withRates('thru', [251, 294.4, 290]))
    expect(text).toContain('0123abcd: Mbit/s')
    expect(rowOf(text, 'thru')).toMatch(
      /147 \(100 to 250\) +\| 50% +\| 290 \(251 to 294\) +\| 98.5% +\| 1.97 +\| faster /,
    )
    expect(rowOf(text, 'other')).toMatch(/\| 1 +\| within spread \|$/)
    expect(rowOf(text, 'slow')).toContain('unfinished after 9 s')
  })

  it('calls rates below the minimum slower', () => {
    const text = comparison(sampleResult, withRates('thru', [50, 60, 70]))
    expect(rowOf(text, 'thru')).toMatch(/\| 0.408 +\| slower +\|$/)
  })

  it('lists differences in the conditions', () => {
    const other = { ...sampleResult, tcp: 'bbr', host: { ...sampleResult.host, cores: 8 } }
    const text = comparison(sampleResult, other)
    expect(text).toContain('They were measured on different computers.')
    expect(text).toContain("TCP's congestion control was cubic, then bbr.")
    expect(text).toContain('Load average up to 1, then up to 1.')
  })

  it.each([
    ['scenarios', { scenario: 'lan' }, 'are different scenarios'],
    ['sizes', { total: 5 }, 'sent different files'],
    ['paths', { path: { rtt: 20, rate: 300 } }, 'different paths'],
  ])('refuses different %s', (_, change, sentence) => {
    expect(() => comparison(sampleResult, { ...sampleResult, ...change })).toThrow(sentence)
  })
})
