/** The calls to the other side's addresses, with sessions in memory. */
import { describe, expect, it, vi } from 'vitest'
import { Direct, type DirectSession } from '../direct'

const hash = Buffer.alloc(32, 7).toString('base64url')
const token = Buffer.alloc(32, 9).toString('base64url')
const lineOf = (address: string, port = 4433): string =>
  `candidate:web0 1 UDP 4 ${address} ${port} typ host webtransport ${hash} token ${token}`

/** Waits however slow the machine is. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, 60_000)

/** A session that the test answers. */
function sessionOf(): {
  session: DirectSession
  become: () => void
  say: (bytes: Uint8Array) => void
  finish: () => void
  sent: Uint8Array[]
  closes: () => number
} {
  const sent: Uint8Array[] = []
  let become: () => void = () => undefined
  let reader: ReadableStreamDefaultController<Uint8Array> | undefined
  let closes = 0
  const readable = new ReadableStream<Uint8Array>({
    start: (controller) => void (reader = controller),
  })
  const writable = new WritableStream<Uint8Array>({ write: (bytes) => void sent.push(bytes) })
  const session = {
    ready: new Promise<undefined>((resolve) => (become = () => resolve(undefined))),
    closed: new Promise<WebTransportCloseInfo>(() => undefined),
    close: () => void (closes += 1),
    createBidirectionalStream: () => Promise.resolve({ readable, writable }),
  } as unknown as DirectSession
  const say = (bytes: Uint8Array): void => reader?.enqueue(bytes)
  const finish = (): void => reader?.close()
  return { session, become: () => become(), say, finish, sent, closes: () => closes }
}

function callerOf(): {
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
      const made = sessionOf()
      calls.push({ url, hash: value, made })
      return made.session
    },
  )
  return { direct, calls, heard }
}

describe('calls to the other side', () => {
  it('shows the token to the first address that answers, and hangs up the others', async () => {
    const { direct, calls, heard } = callerOf()
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
    direct.send(new Uint8Array([1, 2, 3]))
    expect(direct.bufferedAmount).toBe(3)
    await eventually(() => expect(direct.bufferedAmount).toBe(0))
    expect(second?.sent[1]).toEqual(new Uint8Array([1, 2, 3]))
    second?.finish()
    await eventually(() => expect(heard.at(-1)).toBe('over'))
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
