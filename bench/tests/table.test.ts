import { describe, expect, it } from 'vitest'
import { disturbanceOf, limitOf, rowsOf, spreadOf } from '../lab/summary.mjs'
import { markdownTable, page } from '../lab/table.mjs'
import { sampleResult } from './sample-result'

const result = sampleResult

describe('the summary of runs', () => {
  it('has minimum, median and maximum', () => {
    expect(spreadOf([3, 1, 10])).toEqual({ least: 1, median: 3, most: 10 })
    expect(spreadOf([1, 2])).toEqual({ least: 1, median: 1.5, most: 2 })
    expect(spreadOf([])).toBeUndefined()
  })

  it('uses the rate of a path as the limit', () => {
    expect(limitOf(result)).toEqual({ mbit: 294.4, of: 'payload of 300 Mbit/s' })
  })

  it('uses the better raw transfer where there is no rate', () => {
    expect(limitOf({ raw: result.raw } as never)).toEqual({ mbit: 290, of: 'raw UDP' })
    expect(limitOf({ raw: { tcp: [], udp: [] } } as never)).toBeUndefined()
  })

  it('uses the rate of tar for many files', () => {
    const tar = (runs: object[]) => ({ name: 'tar', runs })
    const of = (runs: object[], path?: object) =>
      limitOf({ path, raw: result.raw, tools: [tar(runs)] })
    expect(of([{ mbit: 100 }, { mbit: 120 }])).toEqual({ mbit: 110, of: 'tar in the same run' })
    expect(of([{ error: 'late', mbit: 5 }])).toEqual({ mbit: 290, of: 'raw UDP' })
    expect(of([{ mbit: 100 }], { rate: 300 })).toMatchObject({ mbit: 294.4 })
  })

  it('uses the rate of dd for files on a disk', () => {
    const tools = [{ name: 'dd', runs: [{ mbit: 100 }] }]
    expect(limitOf({ raw: result.raw, tools } as never)).toEqual({
      ...{ mbit: 100, of: 'dd in the same run' },
    })
  })

  it('detects from raw UDP that the computer was too busy', () => {
    const of = (udp: number[], path: object) => disturbanceOf({ path, raw: { udp } })
    expect(of([290, 294], { rate: 300 })).toBeUndefined()
    expect(of([294, 147.2], { rate: 300 })).toBeCloseTo(0.5)
    expect(of([265], { rate: 300, loss: 10 })).toBeUndefined()
    expect(of([], { rate: 300 })).toBeUndefined()
    expect(of([1], { rtt: 1 })).toBeUndefined()
  })

  it('sorts tools by their rate, with those that failed behind', () => {
    const rows = rowsOf(result) as { name: string; share?: number; partial?: number }[]
    expect(rows.map(({ name }) => name)).toEqual(['thru', 'other', 'slow'])
    expect(rows[0]?.share).toBe(0.5)
    expect(rows[2]).toMatchObject({ whole: 0, runs: 1, partial: 0.5, partialMbit: 10 })
  })
})

describe('the page of a result', () => {
  const text = page(result)

  it('shows the spread, the share of the limit and unfinished runs', () => {
    expect(text).toContain(
      '| thru    | 54.3 | 32 to 80      | 147    | 50%      | 1.5 + 2 | 1 + 2    | 3 ',
    )
    expect(text).toMatch(
      /\| slow .* \| 0 of 1 \| unfinished after 9 s, 50% received at 10 Mbit\/s \|/,
    )
    expect(text).toMatch(/\| raw TCP .*\| 210 +\| 71.3% /)
  })

  it('names the computer and the missing tools', () => {
    expect(text).toContain('A processor, 2 cores, 24 GiB, Linux 6.18')
    expect(text).toContain('Commit 0123abcd, 2026-01-01T00:00:00.000Z.')
    expect(text).toContain('Load average 1 to 1.')
    expect(text).toContain('Not installed: croc.')
  })

  it('says where the files were received', () => {
    expect(text).toContain('; files in memory.')
    expect(page({ ...result, isOnDisk: true })).toContain('; from memory to ext4 in a file on a')
  })

  it('says when the computer was too busy', () => {
    expect(text).not.toContain('too busy')
    expect(page({ ...result, raw: { tcp: [], udp: [147.2] } })).toContain(
      'raw UDP reached only 50% of',
    )
    expect(page({ ...result, tardy: 0.009 })).not.toContain('too busy')
    expect(page({ ...result, tardy: 0.011 })).toContain('the emulator had to wait')
  })

  it('warns when other programs used more of the processors', () => {
    expect(page({ ...result, realTimePriority: 1 })).toContain(
      'Load average 1 to 1; all programs measured ran at real-time priority 1.',
    )
  })

  it('escapes what would end a cell', () => {
    const broken = {
      ...result,
      tools: [{ name: 'x', about: '', runs: [{ error: 'a | b', load: 1 }] }],
    }
    expect(page(broken as never)).toContain('a \\| b')
  })
})

it('keeps columns of one width', () => {
  expect(markdownTable(['a', 'bb'], [['long', '']])).toBe(
    '| a    | bb  |\n| ---- | --- |\n| long |     |',
  )
})
