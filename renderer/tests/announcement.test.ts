import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { emptyState, type PeerId, type ReceiveId, type ShareId } from '#shared/state/app-state'
import { allFetched } from '#shared/testing/figures'
import { announce, say } from '../announce'
import { useAppStore } from '../store/app-store'
import { useUiStore } from '../store/ui-store'
import { Announcements, countdownAt, countdownWords } from '../view/announcement'
import { now, outcome, receive, receiver, share, someBefore } from './states'

const atMs = now
const shareId = 's1' as ShareId
const peer = 'p1' as PeerId
const receiveId = 'r1' as ReceiveId

const state = {
  ...emptyState('/downloads'),
  shares: [share({ receivers: [receiver()] })],
  receives: [receive({ title: 'Kyoto', from: 'Mina Park', phase: 'done', outcome: outcome() })],
}

const wordsOf = (event: AppEvent) => new Announcements().of(event, state)?.words ?? null

const progressed = (bytes: number): AppEvent => ({
  ...{ atMs, type: 'receive-progressed', receive: receiveId },
  counters: { files: 1, bytes, totalFiles: 2, totalBytes: 1000, transferred: bytes, ...allFetched },
})

const offered = (kind: 'folder' | 'text'): AppEvent => ({
  ...{ atMs, type: 'receive-offered', receive: receiveId, title: 'Kyoto' },
  items: [{ id: 0, name: 'a', kind, files: 1, bytes: 1 }],
  totals: { files: 1, folders: 0, bytes: 1, complete: true },
})

describe('an announcement', () => {
  it.each<readonly [AppEvent, string]>([
    [
      { atMs, type: 'share-coded', share: shareId, code: '4821-apple-river-stone' },
      'The join code is 4 8 2 1, apple, river, stone.',
    ],
    [
      { atMs, type: 'receiver-joined', share: shareId, peer, safety: '482913' },
      'Someone entered the code.',
    ],
    [
      { atMs, type: 'receiver-finished', share: shareId, peer, outcome: outcome() },
      'Mina Park has received everything.',
    ],
    [
      {
        ...{ atMs, type: 'receive-finished', receive: receiveId },
        outcome: { ...outcome(), ...someBefore },
      },
      'Kyoto: Received and verified, 4 files were already here (same size and time, not compared)',
    ],
    [offered('folder'), 'Someone wants to send you files. Choose whether to receive them.'],
    [offered('text'), 'Someone wants to send you text. Choose whether to show it.'],
    [
      { atMs, type: 'share-failed', share: shareId, error: appError('E_DISK_IO') },
      'Kyoto: The disk reported an error.',
    ],
    [
      { atMs, type: 'receive-finished', receive: receiveId, outcome: outcome() },
      'Kyoto: Received and verified',
    ],
  ])('says what happened: %o', (event, words) => {
    expect(wordsOf(event)).toBe(words)
  })

  it('omits a code that leads nowhere, which its field shows', () => {
    const event: AppEvent = {
      ...{ atMs, type: 'receive-failed', receive: receiveId, error: appError('E_NO_SUCH_CODE') },
    }
    const nobody = { ...state, receives: [receive({ from: '' })] }
    expect(new Announcements().of(event, nobody)).toBeNull()
  })

  it('announces quarters of progress, each once, and nothing at the start', () => {
    const announcements = new Announcements()
    const said = [260, 300, 510, 520, 740, 800, 900, 1000].map(
      (bytes) => announcements.of(progressed(bytes), state)?.words,
    )
    expect(said.filter((words) => words !== undefined)).toEqual([
      'Kyoto: 50 percent received',
      'Kyoto: 75 percent received',
    ])
  })

  it("of a code's expiry comes ten minutes and one minute before", () => {
    const minute = 60_000
    expect(countdownAt(now + 11 * minute, now)).toBeNull()
    expect(countdownAt(now + 10 * minute, now)).toBe(10)
    expect(countdownAt(now + 2 * minute, now)).toBe(10)
    expect(countdownAt(now + minute, now)).toBe(1)
    expect(countdownAt(now, now)).toBeNull()
    expect(countdownWords('Kyoto', 10)).toBe('The code for Kyoto expires in 10 min.')
  })
})

describe('the live region', () => {
  const spacingMs = 5000
  const said = () => useUiStore.getState().said.words
  const happen = (...events: readonly AppEvent[]) =>
    announce(events.map((event, seq) => ({ seq, event })))
  const joined: AppEvent = {
    ...{ atMs, type: 'receiver-joined', share: shareId, peer, safety: '482913' },
  }
  const finished: AppEvent = {
    ...{ atMs, type: 'receiver-finished', share: shareId, peer, outcome: outcome() },
  }

  beforeEach(() => {
    vi.useFakeTimers()
    useAppStore.setState({ state })
    useUiStore.setState({ said: { words: '', nth: 0 } })
  })

  afterEach(() => {
    vi.runAllTimers()
    vi.useRealTimers()
    useAppStore.setState({ state: null })
  })

  it('announces one event after another, and a repeated one once', () => {
    happen(joined, finished, joined)
    expect(said()).toBe('Someone entered the code.')
    vi.advanceTimersByTime(spacingMs)
    expect(said()).toBe('Mina Park has received everything.')
    vi.advanceTimersByTime(10 * spacingMs)
    expect(useUiStore.getState().said.nth).toBe(2)
  })

  it('drops progress when there is an event', () => {
    happen(joined)
    happen(progressed(100))
    happen(progressed(600), finished)
    vi.advanceTimersByTime(spacingMs)
    expect(said()).toBe('Mina Park has received everything.')
  })

  it('responds immediately, and repeats equal words', () => {
    happen(joined)
    say('Copied')
    expect(said()).toBe('Copied')
    const { nth } = useUiStore.getState().said
    say('Copied')
    expect(useUiStore.getState().said).toEqual({ words: 'Copied', nth: nth + 1 })
  })
})
