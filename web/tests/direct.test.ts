/** The calls to the other side's addresses, with sessions in memory. */
import { describe, expect, it, vi } from 'vitest'
import { Direct, type DirectSession } from '../direct'

const hash = Buffer.alloc(32, 7).toString('base64url')
const token = Buffer.alloc(32, 9).toString('base64url')
const lineOf = (address: string, port = 4433): string =>
  `candidate:web0 1 UDP 4 ${address} ${port} typ host webtransport ${hash} token ${token}`

/** Waits however slow the machine is. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, 60_000)

/** A session that the test answers; its stream lets a reader provide the memory if it `readsBytes`. */
function sessionOf(readsBytes: boolean): {
  session: DirectSession
  become: () => void
  say: (bytes: Uint8Array<ArrayBuffer>) => void
  finish: () => void
  sent: Uint8Array[]
  closes: () => number
} {
  const sent: Uint8Array[] = []
  let become: () => void = () => undefined
  let reader: ReadableStreamDefaultController<Uint8Array> | ReadableByteStreamController
  let closes = 0
  const start = (controller: typeof reader): void => void (reader = controller)
  const readable = readsBytes
    ? new ReadableStream({ type: 'bytes', start })
    : new ReadableStream({ start })
  const writable = new WritableStream<Uint8Array>({ write: (bytes) => void sent.push(bytes) })
  const session = {
    ready: new Promise<undefined>((resolve) => (become = () => resolve(undefined))),
    closed: new Promise<WebTransportCloseInfo>(() => undefined),
    close: () => void (closes += 1),
    createBidirectionalStream: () => Promise.resolve({ readable, writable }),
  } as unknown as DirectSession
  const say = (bytes: Uint8Array<ArrayBuffer>): void => reader.enqueue(bytes)
  const finish = (): void => {
    reader.close()
    if ('byobRequest' in reader) reader.byobRequest?.respond(0)
  }
  return { session, become: () => become(), say, finish, sent, closes: () => closes }
}

function callerOf(readsBytes = false): {
  direct: Direct
  calls: { url: string; hash: Uint8Array; made: ReturnType<typeof sessionOf> }[]
  heard: unknown[]
} {
  const calls: { url: string; hash: Uint8Array; made: ReturnType<typeof sessionOf> }[] = []
  const heard: unknown[] = []
  const direct = new Direct(
    {
      ready: () => heard.push('ready'),
      bytes: (bytes) => heard.push([...bytes]),
      over: () => heard.push('over'),
    },
    (url, value) => {
      const made = sessionOf(readsBytes)
      calls.push({ url, hash: value, made })
      return made.session
    },
  )
  return { direct, calls, heard }
}

describe('calls to the other side', () => {
  it.each([
    ['bytes', true],
    ['chunks', false],
  ])('shows the token to the first that answers, hangs up others, reads %s', async (_, bytes) => {
    const { direct, calls, heard } = callerOf(bytes)
    direct.add(lineOf('192.168.1.5'))
    direct.add(lineOf('2001:db8::5', 5000))
    expect(calls.map(({ url }) => url)).toEqual([
      'https://192.168.1.5:4433/',
      'https://[2001:db8::5]:5000/',
    ])
    expect([...(calls[0]?.hash ?? [])]).toEqual(Array.from({ length: 32 }, () => 7))
    const second = calls[1]?.made
    second?.become()
    await eventually(() => expect(second?.sent).toEqual([new Uint8Array(32).fill(9)]))
    expect(calls[0]?.made.closes()).toBe(1)
    expect(direct.isReady).toBe(false)
    second?.say(new Uint8Array([0, 0]))
    await eventually(() => expect(heard).toEqual(['ready', [0, 0]]))
    second?.say(new Uint8Array([4]))
    await eventually(() => expect(heard.at(-1)).toEqual([4]))
    direct.send(new Uint8Array([1, 2, 3]))
    expect(direct.bufferedAmount).toBe(3)
    await eventually(() => expect(direct.bufferedAmount).toBe(0))
    expect(second?.sent[1]).toEqual(new Uint8Array([1, 2, 3]))
    second?.finish()
    await eventually(() => expect(heard.at(-1)).toBe('over'))
  })

  it('sends what a buffer held during the call, and reuses its own once it is sent', async () => {
    const { direct, calls } = callerOf()
    direct.add(lineOf('192.168.1.5'))
    const made = calls[0]?.made
    made?.become()
    made?.say(new Uint8Array([0, 0]))
    await eventually(() => expect(direct.isReady).toBe(true))
    const memory = new Uint8Array(100_000)
    for (const value of [1, 2, 3]) {
      direct.send(memory.fill(value))
      memory.fill(0)
      await eventually(() => expect(direct.bufferedAmount).toBe(0))
      const last = made?.sent.at(-1)
      expect(last?.length).toBe(memory.length)
      expect(last?.every((byte) => byte === value)).toBe(true)
    }
    const buffers = made?.sent.slice(-3).map(({ buffer }) => buffer) ?? []
    expect(new Set(buffers).size).toBe(1)
    // Two that wait at once don't share one.
    direct.send(memory.fill(4))
    direct.send(memory.fill(5))
    await eventually(() => expect(direct.bufferedAmount).toBe(0))
    expect(made?.sent.slice(-2).map((bytes) => bytes[0])).toEqual([4, 5])
  })

  it('calls an address that a router maps to a named one', () => {
    const { direct, calls } = callerOf()
    const mapped =
      'candidate:mapped 1 UDP 9 203.0.113.9 61000 typ srflx raddr 192.168.1.5 rport 4433'
    direct.add(mapped)
    direct.add(lineOf('192.168.1.5'))
    direct.add(mapped)
    expect(calls.map(({ url }) => url)).toEqual([
      'https://192.168.1.5:4433/',
      'https://203.0.113.9:61000/',
    ])
  })

  it('calls no address of other candidates, and eight at most', () => {
    const { direct, calls } = callerOf()
    direct.add('candidate:1 1 UDP 2015363327 192.168.1.5 50000 typ host')
    direct.add(lineOf('192.168.1.5').replace(hash, hash.slice(1)))
    direct.add('candidate')
    expect(calls).toEqual([])
    for (let each = 0; each < 10; each += 1) direct.add(lineOf(`192.168.1.${each + 1}`))
    expect(calls).toHaveLength(8)
  })

  it('calls an address once, however often it is named', () => {
    const { direct, calls } = callerOf()
    for (let each = 0; each < 3; each += 1) direct.add(lineOf('192.168.1.5'))
    direct.add(lineOf('192.168.1.5', 5000))
    expect(calls).toHaveLength(2)
  })

  it('reports nothing if it is closed, or if no address answers', async () => {
    const { direct, calls, heard } = callerOf()
    direct.add(lineOf('192.168.1.5'))
    direct.close()
    expect(calls[0]?.made.closes()).toBe(1)
    calls[0]?.made.become()
    await eventually(() => expect(calls[0]?.made.closes()).toBe(2))
    expect(calls[0]?.made.sent).toEqual([])
    expect(heard).toEqual([])
  })
})
