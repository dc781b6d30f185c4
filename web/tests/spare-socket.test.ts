/** A socket that is opened before a person continues. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PageSocket } from '../signaling/introduction'
import { SpareSocket } from '../signaling/spare-socket'

const url = 'wss://share.example.org/v1'

/** A spare whose server the test speaks for. */
function opened() {
  const closed = vi.fn()
  const socket: PageSocket = {
    ...{ binaryType: 'blob' as const, bufferedAmount: 0 },
    ...{ onmessage: null, onclose: null, send: () => undefined, close: closed },
  }
  const spare = new SpareSocket(url, () => socket)
  const hear = (data: string): void => {
    if (socket.onmessage !== null)
      Reflect.apply(socket.onmessage, socket, [new MessageEvent('message', { data })])
  }
  return { spare, socket, hear, closed }
}

/** Takes the spare as its owner does; returns what the owner hears. */
function taken(spare: SpareSocket): string[] {
  const heard: string[] = []
  const socket = spare.take(url)
  if (socket !== null) socket.onmessage = ({ data }: { data: string }) => heard.push(data)
  return heard
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('repeats the greeting to its owner, and then passes everything on', async () => {
  const { spare, hear } = opened()
  hear('welcome')
  const heard = taken(spare)
  await Promise.resolve()
  hear('joined')
  expect(heard).toEqual(['welcome', 'joined'])
})

it('may be taken before the greeting, but once only and for its own URL', () => {
  const { spare, hear } = opened()
  expect(spare.take('wss://other.example.org/v1')).toBeNull()
  const heard = taken(spare)
  hear('welcome')
  expect(heard).toEqual(['welcome'])
  expect(spare.take(url)).toBeNull()
})

it('is closed when nobody takes it in time, and not after that', () => {
  const { spare, closed } = opened()
  vi.advanceTimersByTime(7999)
  expect(closed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(closed).toHaveBeenCalledOnce()
  expect(spare.take(url)).toBeNull()
  const used = opened()
  taken(used.spare)
  vi.runAllTimers()
  expect(used.closed).not.toHaveBeenCalled()
})

it('keeps one greeting of bounded size', () => {
  const { spare, hear, closed } = opened()
  hear('welcome')
  hear('more')
  expect(closed).toHaveBeenCalledOnce()
  expect(spare.take(url)).toBeNull()
  const large = opened()
  large.hear('x'.repeat(1 << 20))
  expect(large.closed).toHaveBeenCalledOnce()
})

it('is of no use after the server has closed it', () => {
  const { spare, socket } = opened()
  if (socket.onclose !== null) Reflect.apply(socket.onclose, socket, [{ code: 4004 }])
  expect(spare.take(url)).toBeNull()
})
