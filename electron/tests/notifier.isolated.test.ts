/** Notifications over a scripted Electron. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { PeerId, ReceiveId, ShareId, TransferId } from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import { allNew } from '#shared/testing/figures'
import { progress, receive, receiver, share, stateWith } from './states'

type Shown = { title: string; body: string; silent: boolean }

const system = vi.hoisted(() => ({
  shown: [] as Shown[],
  closed: 0,
  click: (): void => undefined,
}))

vi.mock('electron', () => ({
  Notification: class {
    constructor(readonly options: Shown) {}
    on(_event: string, listener: () => void): void {
      system.click = listener
    }
    show(): void {
      system.shown.push(this.options)
    }
    close(): void {
      system.closed += 1
    }
  },
}))

const { Notifier } = await import('../main/desktop/notifier')

beforeEach(() => {
  vi.useFakeTimers()
  system.shown = []
  system.closed = 0
})

afterEach(() => {
  vi.useRealTimers()
})

const about = 's1' as ShareId
const people = Array.from({ length: 10 }, (_, index) => `p${index}` as PeerId)

const running = stateWith({
  shares: [
    share({
      problems: [],
      receivers: people.map((peer) =>
        receiver({
          peer,
          progress: progress(10),
          reconnections: 0,
          before: { transferred: 0, reusedBytes: 0 },
        }),
      ),
    }),
  ],
  receives: [
    receive({ progress: progress(10), before: { transferred: 0, reusedBytes: 0 }, problems: [] }),
  ],
})

const outcome = {
  files: 1,
  bytes: 61.9e9,
  problems: 0,
  renamed: 0,
  transferred: 1,
  ...allNew,
  readBack: false,
}

const finished = (peer: PeerId): AppEvent => ({
  ...{ atMs: 1, type: 'receiver-finished', share: about, peer, outcome },
})

type Listening = Partial<{
  state: typeof running
  isLooking: boolean
  wanted: boolean
  platform: NodeJS.Platform
}>

function listen({
  state = running,
  isLooking = false,
  wanted = true,
  platform = 'win32',
}: Listening = {}) {
  const open = vi.fn()
  const notifier = new Notifier({
    state,
    isWanted: () => wanted,
    isLooking: () => isLooking,
    open,
    nowMs: () => Date.now(),
    platform,
  })
  const happen = (...events: readonly AppEvent[]): void => {
    notifier.onEvents(events.map((event, seq) => ({ seq, event })))
    vi.advanceTimersByTime(1500)
  }
  return { happen, open }
}

describe('Notifier', () => {
  it('makes one sound for ten receivers that finish together, and a click opens their card', () => {
    const { happen, open } = listen()
    happen(...people.map(finished))
    expect(system.shown).toMatchObject([
      { title: '10 people have finished receiving', body: 'Kyoto rushes', silent: false },
    ])
    system.click()
    expect(open).toHaveBeenCalledExactlyOnceWith('s1')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('says that people have everything only if they have the whole offer', () => {
    const [mina, jonas] = [people[0]!, people[1]!]
    listen().happen(finished(mina))
    const part = { ...outcome, offeredFiles: 3000, unwantedFiles: 100 }
    const { happen } = listen()
    happen({ atMs: 1, type: 'receiver-finished', share: about, peer: jonas, outcome: part })
    expect(system.shown).toMatchObject([
      { title: 'Jonas Weber has received everything', body: 'Kyoto rushes' },
      {
        title: 'Jonas Weber has finished receiving',
        body: 'Kyoto rushes · 2,900 of 3,000 files, their choice',
      },
    ])
  })

  it('silently replaces a notice about the same card', () => {
    const { happen } = listen()
    for (const peer of people.slice(0, 3)) happen(finished(peer))
    expect(system.shown.map(({ silent }) => silent)).toEqual([false, true, true])
    expect(system.closed).toBe(2)
  })

  it('is silent while the person looks at the window, and about kinds that are turned off', () => {
    listen({ isLooking: true }).happen(finished(people[0]!))
    listen({ wanted: false }).happen(finished(people[0]!))
    expect(system.shown).toEqual([])
  })

  it.each([
    ['linux', '&lt;a href="http://evil"&gt;&amp; more&lt;/a&gt;'],
    ['darwin', '<a href="http://evil">& more</a>'],
  ] as const)('shows names on %s literally, without markup', (platform, body) => {
    const title = '<a href="http://evil">& more</a>'
    const shares = running.shares.map((one) => ({ ...one, title }))
    listen({ state: { ...running, shares }, platform }).happen(finished(people[0]!))
    expect(system.shown).toMatchObject([{ body }])
  })

  it('announces a receiver that waits for approval, but not its connection', () => {
    const asking = share({
      approve: true,
      receivers: [receiver({ peer: people[0]!, phase: 'deciding' })],
    })
    const { happen } = listen({ state: stateWith({ shares: [asking] }) })
    const who = { atMs: 1, share: about, peer: people[0]! }
    const route = { kind: 'local', family: 4, transport: 'udp', remote: '', relay: '' } as const
    const transfer = 'a'.repeat(32) as TransferId
    happen({ ...who, type: 'receiver-connected', name: 'Jonas Weber', transfer, route })
    expect(system.shown).toEqual([])
    happen({ ...who, type: 'receiver-approval-requested' })
    expect(system.shown).toMatchObject([
      { title: 'Jonas Weber asks to be let in', body: 'Kyoto rushes' },
    ])
  })

  it('shows the item, the sender and the size of a receive', () => {
    const { happen } = listen()
    happen({ atMs: 1, type: 'receive-finished', receive: 'r1' as ReceiveId, outcome })
    expect(system.shown).toMatchObject([
      { title: 'Received: Kyoto rushes', body: '61.9 GB from Mina Park' },
    ])
  })

  it('shows which files did not have to be sent', () => {
    const { happen } = listen()
    const same = { ...outcome, identical: 1, identicalBytes: 61.9e9, uncompared: 1 }
    happen({ atMs: 1, type: 'receive-finished', receive: 'r1' as ReceiveId, outcome: same })
    expect(system.shown).toMatchObject([
      {
        title: 'Nothing new: Kyoto rushes',
        body: '1 file was already here (same size and time, not compared)',
      },
    ])
  })

  it('shows why a transfer failed, but not if a person ended it', () => {
    const fail = (code: 'E_DISK_IO' | 'E_CANCELLED'): AppEvent => ({
      ...{ atMs: 1, type: 'receive-failed', receive: 'r1' as ReceiveId, error: appError(code) },
    })
    listen().happen(fail('E_CANCELLED'))
    expect(system.shown).toEqual([])
    listen().happen(fail('E_DISK_IO'))
    expect(system.shown).toMatchObject([{ title: 'A transfer has failed' }])
    expect(system.shown[0]?.body).toMatch(/^Kyoto rushes · ./)
  })

  it('names an offer of texts as such', () => {
    const items = [{ id: 0, name: 'Text', kind: 'text', files: 1, bytes: 9 }] as const
    const told = { receive: 'r1' as ReceiveId, title: 'Text', items }
    const totals = { files: 1, folders: 0, bytes: 9, complete: true }
    const receives = [receive({ phase: 'listing', from: 'Mina Park' })]
    const { happen } = listen({ state: stateWith({ receives }) })
    happen({ atMs: 1, type: 'receive-offered', ...told, totals })
    expect(system.shown).toMatchObject([
      { title: 'Mina Park wants to send you text', body: 'Text' },
    ])
  })

  it('announces an invitation once, however often it arrives, and shows names literally', () => {
    const invitation = {
      contact: 'c1' as ContactId,
      nameplate: '4821',
      summary: 'A\u202Efile',
      arrivedMs: 1,
    }
    const { happen } = listen()
    const arrived: AppEvent = { atMs: 1, type: 'invitation-arrived', invitation }
    happen(arrived, arrived)
    happen(arrived)
    expect(system.shown).toHaveLength(1)
    expect(system.shown[0]?.title).toBe('Someone wants to send you files')
    expect(system.shown[0]?.body).not.toContain('\u202E')
  })
})
