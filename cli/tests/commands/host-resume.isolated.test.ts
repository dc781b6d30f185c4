import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from '#client/clock'
import type { loadEngine } from '#client/native-engine'
import { NameplateOwner } from '#client/signaling/nameplate-owner'
import type { RememberedShare, ShareRules } from '#client/state/remembered-share'
import { ShareFile } from '#client/state/share-file'
import { FakeEngine } from '#client/testing/fake-engine'
import { folderOfTest } from '#client/testing/temporary-folder'
import { ok } from '#shared/result'
import { defaultShareOptions } from '#shared/settings/share-options'
import { host, type HostOptions } from '../../commands/host'
import { PlainReporter } from '../../report/plain-reporter'
import type { StopSignal } from '../../terminal/stop-signal'
import { Paper } from '../paper'

const load = vi.hoisted(() => vi.fn<typeof loadEngine>())
const folders = vi.hoisted(() => ({ state: '' }))

vi.mock('#client/native-engine', () => ({ loadEngine: load }))
vi.mock('#client/state/state-directory', () => ({ stateDirectory: () => folders.state }))

let engine: FakeEngine
beforeEach(() => {
  engine = new FakeEngine()
  load.mockReturnValue(ok(engine))
  folders.state = join(folderOfTest(), 'state')
})

/** Leaves the state of a killed program. */
async function interrupted(rules: ShareRules): Promise<void> {
  const file = new ShareFile({ directory: folders.state, clock: systemClock })
  const nowMs = systemClock.now()
  const share: Omit<RememberedShare, 'keeper' | 'host'> = {
    ...{ id: '1'.repeat(32), title: 'a share', items: [{ kind: 'path', path: __filename }] },
    ...{ options: defaultShareOptions, rules, texts: 2, paused: false, to: [], nameplate: '4821' },
    ...{
      server: 'ws://127.0.0.1:1',
      words: 'apple-kayak-onion',
      ownerKey: new NameplateOwner().key,
    },
    ...{ endsAtMs: nowMs + 3_600_000, codeEnd: null, admission: null, returning: [] },
    lastSeenMs: nowMs,
  }
  file.release(share)
  await file.flushed()
}

/** Resumes the share; returns the engine's options and the state kept for the next program. */
async function resumed(options: Partial<HostOptions> = {}) {
  let stop: (signal: StopSignal) => void = () => undefined
  const stopped = new Promise<StopSignal>((resolve) => (stop = resolve))
  const paper = new Paper()
  const all = { resume: true as const, ...options }
  const ended = host([], all, {
    ...{ reporter: new PlainReporter(paper), terminal: paper, stopped },
  })
  const { ice } = await engine.nth('open-share')
  const { shares } = JSON.parse(readFileSync(join(folders.state, 'shares.json'), 'utf8')) as {
    shares: RememberedShare[]
  }
  stop('SIGINT')
  await ended
  expect(paper.notes).toContainEqual(
    expect.stringContaining("2 texts of this share aren't offered"),
  )
  return { relayUse: ice.relayUse, limits: engine.all('set-limits')[0], rules: shares[0]?.rules }
}

it('an interrupted share keeps the relays, the network and the limits of its command', async () => {
  const rules = { relayUse: 'only', visible: false, portMapping: false, background: true } as const
  await interrupted({ ...rules, keepsHistory: false, limitUp: '3M' })
  expect(await resumed()).toEqual({
    relayUse: 'only',
    limits: { type: 'set-limits', upload: 3_000_000, download: 0 },
    rules: { ...rules, keepsHistory: false, limitUp: '3M' },
  })
  expect(engine.all('set-background')).toEqual([{ type: 'set-background', enabled: true }])
})

it('options given with --resume override the stored ones', async () => {
  await interrupted({ relayUse: 'only', visible: false, limitUp: '3M', limitDown: '2M' })
  const options = { relay: 'never', lan: true, limitUp: '5M' } as const
  expect(await resumed(options)).toMatchObject({
    relayUse: 'never',
    limits: { upload: 5_000_000, download: 2_000_000 },
    // No option turns this on again.
    rules: { visible: false },
  })
})
