/** Possible entries of a history: sent and received, done, canceled and failed, of today and before. */
import type { TransferId } from '#shared/state/app-state'
import type { HistoryEntry } from '#shared/state/history'
import { allNew } from '#shared/testing/figures'
import type { StageApp } from '../stage-app'

const hourMs = 3_600_000
const day = new Date().setHours(12, 0, 0, 0)

/** A receive that succeeded `id` hours before noon, unless `more` says otherwise. */
export const entry = (id: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...{ id, direction: 'received', transfer: id.toString(16).padStart(32, '0') as TransferId },
  ...{ endedAtMs: day - id * hourMs, title: 'Kyoto rushes', person: 'Mina Park', contact: null },
  ...{ files: 1282, bytes: 61.9e9, durationMs: 548_000, rate: 113e6, route: 'direct' },
  ...{ ...allNew, texts: 0, outcome: 'done', error: null, problemCount: 0, problems: [] },
  ...{ folder: '/media/sora/Projects', target: '/media/sora/Projects/Kyoto rushes', paths: [] },
  ...more,
})

const sent = { direction: 'sent', folder: null, target: null, paths: ['/home/sora/x'] } as const

export const someEntries: readonly HistoryEntry[] = [
  entry(1),
  entry(2, { ...sent, title: 'Lecture slides', person: 'Jonas Weber', files: 38, bytes: 4.1e9 }),
  entry(3, { title: 'Thesis data set', person: 'lab-server-2', files: 100_000, problemCount: 3 }),
  entry(26, { ...sent, title: 'release-2.4.0.tar', person: 'build-host', files: 1, bytes: 1.42e9 }),
  entry(27, { title: 'Floor plan, second storey.pdf', person: 'Aiko Tanaka', files: 1 }),
  entry(28, { ...sent, title: 'Interview', outcome: 'cancelled', rate: 0, person: '' }),
  entry(150, { title: 'Photo archive', outcome: 'failed', error: 'E_DISK_IO', files: 48_120 }),
]

/** Opens the history with these entries; files of those in `gone` were moved or deleted. */
export async function openHistory(
  { app, page }: StageApp,
  entries: readonly HistoryEntry[],
  gone: readonly number[] = [],
): Promise<void> {
  await app.evaluate(
    (_electron, scene) => {
      globalThis.stage.history.entries = scene.entries
      globalThis.stage.history.gone = scene.gone
    },
    { entries, gone },
  )
  // The position is the same in every language.
  await page.locator('.section').nth(1).click()
  await page.locator('.history').waitFor()
}
