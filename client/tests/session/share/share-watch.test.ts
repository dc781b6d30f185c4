import { beforeEach, expect, it } from 'vitest'
import type { WatchPaths } from '#client/path-watch'
import { ShareWatch } from '#client/session/share/share-watch'
import { ManualClock } from '#client/testing/manual-clock'

let clock: ManualClock
let scans: number
let watched: readonly string[] | null
let report: Parameters<WatchPaths>[1]
let watch: ShareWatch

const watchPaths: WatchPaths = (paths, to) => {
  watched = paths
  report = to
  return { stop: () => (watched = null) }
}

beforeEach(() => {
  clock = new ManualClock()
  scans = 0
  watch = new ShareWatch(clock, watchPaths, () => (scans += 1))
  watch.watch(['/site'])
})

it('scans once a folder has been quiet for a second', () => {
  for (let change = 0; change < 100_000; change += 1) report.onChanged()
  clock.advance(999)
  report.onChanged()
  clock.advance(999)
  expect(scans).toBe(0)
  clock.advance(1)
  expect(scans).toBe(1)
  clock.advance(60_000)
  expect(scans).toBe(1)
})

it('scans every 30 seconds where something changes all the time', () => {
  for (let count = 0; count < 130; count += 1) {
    report.onChanged()
    clock.advance(500)
  }
  expect(scans).toBe(2)
})

it('scans without a report every ten minutes, and every 30 seconds once changes go unnoticed', () => {
  clock.advance(10 * 60_000)
  expect(scans).toBe(1)
  report.onBlind()
  clock.advance(60_000)
  expect(scans).toBe(3)
})

it('keeps a noticed change unless the paths are others', () => {
  report.onChanged()
  watch.watch(['/site'])
  clock.advance(1000)
  expect(scans).toBe(1)
  report.onChanged()
  watch.watch(['/site', '/added'])
  expect(watched).toEqual(['/site', '/added'])
  clock.advance(1000)
  expect(scans).toBe(1)
})

it('stops', () => {
  report.onChanged()
  watch.stop()
  report.onChanged()
  report.onBlind()
  clock.advance(60 * 60_000)
  expect(scans).toBe(0)
  expect(watched).toBeNull()
  expect(clock.delays).toEqual([])
})
