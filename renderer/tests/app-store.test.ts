import { beforeEach, describe, expect, it } from 'vitest'
import type { AppError } from '#shared/errors'
import type { NumberedEvent, Snapshot } from '#shared/ipc'
import { ok, type Result } from '#shared/result'
import { emptyState, type ShareId } from '#shared/state/app-state'
import { applyEvents, mirrorState, useAppStore } from '../store/app-store'

const opened = (seq: number, id = `s${seq}`): NumberedEvent => ({
  seq,
  event: { atMs: seq, type: 'share-opened', share: id as ShareId, title: id, maxReceivers: 10 },
})

const ids = () => useAppStore.getState().state?.shares.map(({ id }) => id)

/** A main process that answers when the test tells it to. */
function fakeSource() {
  const listeners = new Set<(batch: readonly NumberedEvent[]) => void>()
  let answer: (reply: Result<Snapshot, AppError>) => void = () => undefined
  return {
    asked: () => listeners.size,
    send: (...batch: NumberedEvent[]) => {
      for (const listener of listeners) listener(batch)
    },
    answer: async (snapshot: Snapshot) => {
      answer(ok(snapshot))
      await Promise.resolve()
      await Promise.resolve()
    },
    onEvents: (listener: (batch: readonly NumberedEvent[]) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: () => {
      // Requesting the state first would lose events between the answer and the subscription.
      expect(listeners.size).toBe(1)
      return new Promise<Result<Snapshot, AppError>>((resolve) => (answer = resolve))
    },
  }
}

beforeEach(() => {
  useAppStore.setState({ seq: 0, state: null })
})

describe('applyEvents', () => {
  const mirror = { seq: 5, state: emptyState('/downloads') }

  it('applies events after the snapshot and numbers the mirror by the last', () => {
    const after = applyEvents(mirror, [opened(6), opened(7)])
    expect(after.seq).toBe(7)
    expect(after.state?.shares.map(({ id }) => id)).toEqual(['s7', 's6'])
  })

  it('drops events that the mirror already contains', () => {
    const after = applyEvents(mirror, [opened(4), opened(5), opened(6)])
    expect(after.state?.shares.map(({ id }) => id)).toEqual(['s6'])
  })

  it('returns the same mirror without new events', () => {
    expect(applyEvents(mirror, []).state).toBe(mirror.state)
    expect(applyEvents(mirror, [opened(3)]).state).toBe(mirror.state)
  })

  it('waits for a first snapshot', () => {
    const empty = { seq: 0, state: null }
    expect(applyEvents(empty, [opened(1)])).toBe(empty)
  })
})

describe('mirrorState', () => {
  it('neither loses nor repeats events that arrive around the snapshot', async () => {
    const source = fakeSource()
    mirrorState(source)
    source.send(opened(1), opened(2))
    source.send(opened(3))
    expect(ids()).toBeUndefined()
    const state = applyEvents({ seq: 0, state: emptyState('/d') }, [opened(1), opened(2)]).state
    await source.answer({ seq: 2, state: state! })
    expect(ids()).toEqual(['s3', 's2', 's1'])
    source.send(opened(3), opened(4))
    expect(ids()).toEqual(['s4', 's3', 's2', 's1'])
    expect(useAppStore.getState().seq).toBe(4)
  })

  it('names several items in the current language, whatever the title was written in', async () => {
    const source = fakeSource()
    mirrorState(source)
    const item = { id: 0, name: 'a', kind: 'file', files: 1, bytes: 1 } as const
    const listed: NumberedEvent['event'] = {
      ...{ atMs: 1, type: 'share-listed', share: 's1' as ShareId, title: '항목 2개' },
      items: [item, { ...item, id: 1 }],
    }
    const events = [opened(1), { seq: 2, event: listed }, opened(3)]
    const state = applyEvents({ seq: 0, state: emptyState('/d') }, events).state
    await source.answer({ seq: 3, state: state! })
    const titles = useAppStore.getState().state?.shares.map(({ title }) => title)
    expect(titles).toEqual(['s3', '2 items'])
  })

  it('stops listening when asked', () => {
    const source = fakeSource()
    const stop = mirrorState(source)
    stop()
    expect(source.asked()).toBe(0)
  })
})
