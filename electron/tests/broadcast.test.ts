import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppEvent } from '#shared/events'
import type { NumberedEvent } from '#shared/ipc'
import type { MappedName, PeerId, ReceiveId, ShareId } from '#shared/state/app-state'
import { allFetched } from '#shared/testing/figures'
import { createBroadcast } from '../main/broadcast'

const share = 's1' as ShareId
const totals = { files: 1, folders: 0, bytes: 1, complete: false }
const figure = (seq: number): NumberedEvent => ({
  seq,
  event: { atMs: 0, type: 'share-counted', share, totals } satisfies AppEvent,
})
const change = (seq: number): NumberedEvent => ({
  seq,
  event: { atMs: 0, type: 'share-stopped', share } satisfies AppEvent,
})

const send = vi.fn<(batch: readonly NumberedEvent[]) => void>()
const sent = () => send.mock.calls.map(([batch]) => batch.map(({ seq }) => seq))

beforeEach(() => {
  vi.useFakeTimers()
  send.mockClear()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('createBroadcast', () => {
  it('sends other events immediately', () => {
    createBroadcast(send)([change(1)])
    expect(sent()).toEqual([[1]])
  })

  it('sends the latest of each figure four times a second', () => {
    const broadcast = createBroadcast(send)
    for (let seq = 1; seq <= 10; seq += 1) {
      broadcast([figure(seq)])
      vi.advanceTimersByTime(100)
    }
    expect(sent()).toEqual([[3], [6], [9]])
  })

  it('keeps the figures of two receivers apart', () => {
    const progress = (seq: number, peer: string): NumberedEvent => ({
      ...{ seq },
      event: {
        ...{ atMs: 0, type: 'receiver-progressed', share, peer: peer as PeerId },
        counters: {
          files: 0,
          totalFiles: 1,
          bytes: seq,
          totalBytes: 9,
          transferred: seq,
          ...allFetched,
        },
      },
    })
    createBroadcast(send)([progress(1, 'a'), progress(2, 'b'), progress(3, 'a')])
    vi.advanceTimersByTime(1000)
    expect(sent()).toEqual([[2, 3]])
  })

  it('sends figures every other second while no window is seen', () => {
    const broadcast = createBroadcast(send, () => false)
    broadcast([figure(1)])
    vi.advanceTimersByTime(1999)
    expect(send).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(sent()).toEqual([[1]])
  })

  it('sends changed names immediately, and their mere number as a figure', () => {
    const broadcast = createBroadcast(send)
    const names = (seq: number, ...mappedNames: readonly MappedName[]): NumberedEvent => ({
      ...{ seq },
      event: {
        ...{ atMs: 0, type: 'receive-names-mapped', receive: 'r1' as ReceiveId },
        ...{ mappedCount: 1000 + seq, mappedNames },
      },
    })
    broadcast([names(1, { path: 'a:b', writtenAs: 'a_b' })])
    broadcast([names(2)])
    expect(sent()).toEqual([[1]])
    vi.advanceTimersByTime(1000)
    expect(sent()).toEqual([[1], [2]])
  })

  it('keeps the order: figures are sent before a later change', () => {
    const broadcast = createBroadcast(send)
    broadcast([figure(1)])
    broadcast([figure(2), change(3), figure(4)])
    vi.advanceTimersByTime(1000)
    expect(sent()).toEqual([[2, 3, 4]])
  })

  it('sends nothing when there is nothing', () => {
    createBroadcast(send)([])
    vi.advanceTimersByTime(1000)
    expect(send).not.toHaveBeenCalled()
  })
})
