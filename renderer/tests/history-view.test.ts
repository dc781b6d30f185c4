import { describe, expect, it } from 'vitest'
import type { TransferId } from '#shared/state/app-state'
import type { HistoryEntry } from '#shared/state/history'
import { allNew } from '#shared/testing/figures'
import { entryAt } from '../store/history-store'
import { dayWords, figures, isSameDay, outcomeWords, placeWords } from '../view/history-view'

const noon = new Date(2026, 2, 3, 12).getTime()
const hourMs = 3_600_000

const entry = (more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...{ id: 1, direction: 'received', transfer: 'a'.repeat(32) as TransferId },
  ...{ endedAtMs: noon, title: 'a', person: 'Mina', contact: null, files: 2, bytes: 1.5e9 },
  ...{ durationMs: 1, rate: 118e6, route: 'direct', ...allNew, outcome: 'done', error: null },
  ...{ texts: 0, problemCount: 0, problems: [], folder: '/in', target: '/in/a', paths: [] },
  ...more,
})

describe('an entry of the history', () => {
  it('is grouped by its calendar day', () => {
    expect(dayWords(noon - 13 * hourMs, noon)).toBe('Yesterday')
    expect(dayWords(noon - 11 * hourMs, noon)).toBe('Today')
    expect(dayWords(noon - 72 * hourMs, noon)).toContain('2026')
    expect(isSameDay(entry(), entry({ endedAtMs: noon - 13 * hourMs }))).toBe(false)
  })

  it('shows its folder, or that it is gone', () => {
    expect(placeWords(entry(), true)).toBe('2 files · /in')
    expect(placeWords(entry({ folder: null, paths: ['/a', '/b'] }), true)).toBe('2 files')
    expect(placeWords(entry({ folder: null, paths: [] }), true)).toBe('')
    expect(placeWords(entry({ texts: 1 }), true)).toBe('1 file and 1 text · /in')
    expect(placeWords(entry(), false)).toBe('Moved or deleted')
  })

  it('shows no speed if no data was sent', () => {
    expect(figures(entry())).toEqual({ amount: '1.5 GB', speed: '118 MB/s' })
    expect(figures(entry({ rate: 0 })).speed).toBe('')
  })

  it('shows its result, problems before success', () => {
    expect(outcomeWords(entry())).toEqual({ words: 'Verified', tone: 'ok' })
    expect(outcomeWords(entry({ problemCount: 1 }))).toEqual({ words: '1 problem', tone: 'warn' })
    expect(outcomeWords(entry({ outcome: 'failed' })).tone).toBe('danger')
    expect(outcomeWords(entry({ outcome: 'cancelled' })).words).toBe('Stopped')
  })

  it('calls only received files verified', () => {
    const some = entry({ identical: 1, identicalBytes: 5e8, uncompared: 1 })
    expect(figures(some).amount).toBe('1.0 GB')
    expect(placeWords(some, true)).toBe(
      '1 file · 1 file was already here (same size and time, not compared) · /in',
    )
    const part = entry({
      ...{ direction: 'sent', folder: null, paths: ['/x'] },
      ...{ offeredFiles: 5, unwantedFiles: 3 },
    })
    expect(placeWords(part, true)).toBe('2 files · 2 of 5 files, their choice')
    const all = entry({ identical: 2, identicalBytes: 1.5e9, uncompared: 2, rate: 0 })
    expect(outcomeWords(all)).toEqual({ words: 'Nothing new', tone: 'plain' })
    expect(figures(all)).toEqual({ amount: '', speed: '' })
  })

  it('is found by its index, once its page is loaded', () => {
    const pages = { 1: [entry({ id: 101 }), entry({ id: 102 })] }
    expect(entryAt({ pages }, 101)?.id).toBe(102)
    expect(entryAt({ pages }, 0)).toBeUndefined()
    expect(entryAt({ pages }, 199)).toBeUndefined()
  })
})
