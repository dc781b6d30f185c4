/** Missing received files, on disks that respond and on one that hangs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { systemClock } from '#client/clock'
import { History } from '#client/history/history'
import { HistoryStore } from '#client/history/history-store'
import { ManualClock } from '#client/testing/manual-clock'
import { temporaryFolder } from '#client/testing/temporary-folder'
import type { TransferId } from '#shared/state/app-state'
import { allNewInHistory } from '#shared/testing/figures'

const at = temporaryFolder()

/** Records receives to these paths. */
async function received(targets: readonly string[]): Promise<readonly number[]> {
  const store = new HistoryStore({ directory: at('state'), onError: vi.fn() })
  await store.add(
    targets.map((target, number) => ({
      ...{ direction: 'received', transfer: `${number}`.padStart(32, '0') as TransferId },
      ...{ endedAtMs: number, title: '', person: '', contact: null, files: 1, bytes: 2 },
      ...{
        durationMs: 3,
        rate: 4,
        route: 'direct',
        ...allNewInHistory,
        outcome: 'done',
        error: null,
      },
      ...{ texts: 0, problemCount: 0, problems: [], folder: '/in', target, paths: [] },
    })),
  )
  const { entries } = await store.list({ text: '', filter: 'all', offset: 0, limit: 100 })
  return entries.map(({ id }) => id).reverse()
}

const options = { isKept: () => true, record: vi.fn() }

it('deleted files are missing, and so are folders replaced by something else', async () => {
  mkdirSync(at('in'))
  writeFileSync(at('in', 'here'), '')
  const places = [at('in', 'here'), at('in', 'gone'), at('in', 'here', 'below'), at('in')]
  const ids = await received(places)
  const history = new History({ ...options, directory: at('state'), clock: systemClock })
  expect(await history.missing(ids)).toEqual([ids[1], ids[2]])
})

it('a hanging disk blocks at most one thread, and nothing on it is reported missing', async () => {
  const clock = new ManualClock()
  const ids = await received(['/dead/a', '/dead/b', '/dead/c', '/dead/d', '/home/gone'])
  const look = vi.fn(() => new Promise<null>(() => undefined))
  const history = new History({ ...options, directory: at('state'), clock, look })
  const missing = history.missing(ids)
  await clock.untilDelay(3000)
  expect(look).toHaveBeenCalledOnce()
  clock.advance(3000)
  expect(await missing).toEqual([])
  expect(await history.missing(ids)).toEqual([])
  expect(look).toHaveBeenCalledOnce()
})
