/** The engine's answers about the files of a running transfer. */
import type { FileFilter, FilePage, FileQuery, FileState, TransferFile } from '#shared/files'
import type { OtherSide } from '#shared/state/app-state'
import { GB, MB } from './scene-parts'

type Row = Pick<TransferFile, 'path' | 'size' | 'state'> & { readonly share?: number }

const days = ['Day 1, Arashiyama', 'Day 2, Fushimi'] as const

const clip = (day: string, number: number): string =>
  `${day}/A001_C${number.toString().padStart(3, '0')}_0412.mov`

/** 1,282 files as in the scenes: 795 are saved, three are under way. */
const rows: readonly Row[] = Array.from({ length: 1_282 }, (_, index): Row => {
  const path = index < 1_155 ? clip(days[index < 542 ? 0 : 1], index) : `Sound/take-${index}.wav`
  const size = (index % 17) * 3.1 * MB + 4.2 * MB
  if (index === 797)
    return {
      path: 'Day 2, Fushimi/A001_C014_0412.mov',
      size: 4.21 * GB,
      state: 'active',
      share: 0.71,
    }
  if (index === 798)
    return {
      path: 'Day 2, Fushimi/A001_C015_0412.mov',
      size: 3.87 * GB,
      state: 'active',
      share: 0.38,
    }
  if (index === 799)
    return { path: 'Sound/ambience-gate-04.wav', size: 918 * MB, state: 'active', share: 0.09 }
  if (index === 640) return { path, size, state: 'failed' }
  if (index === 800) return { path: 'Sound/ambience-gate-05.wav', size: 902 * MB, state: 'skipped' }
  return { path, size, state: index < 797 ? 'saved' : 'waiting' }
})

const filterOf = (state: FileState): FileFilter => {
  if (state === 'active' || state === 'received') return 'active'
  if (state === 'waiting' || state === 'skipped') return state
  return state === 'failed' ? 'problem' : 'done'
}

const count = (filter: FileFilter): number =>
  rows.filter(({ state }) => filterOf(state) === filter).length

export function filePage(side: OtherSide, { filter, query, offset, limit }: FileQuery): FilePage {
  const found = rows
    .map((row, index) => ({ ...row, index }))
    .filter(({ state }) => filter === 'all' || filterOf(state) === filter)
    .filter(({ path }) => path.toLowerCase().includes(query.toLowerCase()))
  const files = found.slice(offset, offset + limit).map(({ share, ...row }) => ({
    ...row,
    kind: 'file' as const,
    // A sender doesn't know more than that.
    state: 'share' in side && row.state === 'saved' ? ('sent' as const) : row.state,
    bytes: row.state === 'saved' ? row.size : (share ?? 0) * row.size,
  }))
  return {
    counts: {
      all: rows.length,
      active: count('active'),
      waiting: count('waiting'),
      done: count('done'),
      skipped: count('skipped'),
      problem: count('problem'),
    },
    total: found.length,
    offset,
    files,
  }
}
