import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeSending } from '#shared/signaling/sending'
import type { Line } from '../../../cli/tests/programs/program-output'
import { codeOf, programRig } from '../../../cli/tests/programs/program-rig'
import type { Thru } from '../../../cli/tests/programs/thru'
import type { ChosenEntry } from '../../chosen'
import type { OpenSocket, PageSocket } from '../../signaling/introduction'
import { openSocket, receive } from './page-receiver'
import { fileOf, folderOf, send } from './page-sender'
import { sentThrough } from './relayed'

const relays = { env: { THRU_SERVER_RELAY_BYTES_PER_SEC: '1000000000' } }
const { at, thru, serverUrl } = programRig('web-send', ['--server-relays', '10'], relays)

function request(...args: readonly string[]): Thru {
  mkdirSync(at('in'), { recursive: true })
  const words = ['request', at('in'), '--json', '--name', 'Jonas']
  return thru([...words, ...args])
}
const twoIds = {
  join: '00112233445566778899aabbccddeeff',
  share: 'ffeeddccbbaa99887766554433221100',
}
const origin = (): string => new URL(serverUrl()).href.replace(/\/$/, '')

type Message = { readonly t?: string; readonly body?: string }

/** Opens sockets, and collects the ids that joins show to the signaling server. */
function joinIds(): { readonly openSocket: OpenSocket; readonly ids: readonly string[] } {
  const ids: string[] = []
  const collecting: OpenSocket = (url, protocols = []) => {
    const socket = openSocket(url, protocols)
    const pass = socket.send.bind(socket)
    socket.send = (data) => {
      const { t, body = '' } = typeof data === 'string' ? (JSON.parse(data) as Message) : {}
      const sending = t === 'join' ? decodeSending(body) : null
      if (sending !== null) ids.push(sending.id)
      pass(data)
    }
    return socket
  }
  return { openSocket: collecting, ids }
}

describe('a page', () => {
  it('sends files of every size to thru request, byte for byte', async () => {
    const large = randomBytes(20 << 20)
    const requester = request('--yes')
    const {
      end,
      safety,
      requester: name,
      failed,
      files,
    } = await send(await codeOf(requester), origin(), [
      folderOf('src'),
      folderOf('src/deep'),
      fileOf('src/deep/note.txt', 'remember'),
      fileOf('src/empty.txt', ''),
      fileOf('large.bin', large),
    ])
    expect(end).toBeNull()
    expect(name).toBe('Jonas')
    expect(safety).toMatch(/^\d{6}$/)
    expect(failed.size).toBe(0)
    expect(files).toBe(3)
    await requester.line('done')
    expect(Buffer.compare(readFileSync(at('in', 'large.bin')), large)).toBe(0)
    expect(readFileSync(at('in', 'src', 'deep', 'note.txt'), 'utf8')).toBe('remember')
    expect(readFileSync(at('in', 'src', 'empty.txt'), 'utf8')).toBe('')
  })

  it('is told that a code shares files', async () => {
    writeFileSync(at('note.txt'), 'remember')
    const sharer = thru(['host', at('note.txt'), '--json'])
    const { end } = await send(await codeOf(sharer), origin(), [fileOf('a.txt', 'a')])
    expect(end).toEqual({ code: 'E_CODE_SHARES', detail: 'said by the other side' })
  })

  it('shows the signaling server only the id of its joins', async () => {
    const { openSocket: collecting, ids } = joinIds()
    const { end } = await send(await codeOf(request('--yes')), origin(), [fileOf('a.txt', 'a')], {
      openSocket: collecting,
      ids: twoIds,
    })
    expect(end).toBeNull()
    expect(ids).toEqual([twoIds.join])
  })

  it('is told that a code requests files', async () => {
    const requester = request('--yes')
    const { end } = await receive(await codeOf(requester), origin())
    expect(end?.code).toBe('E_CODE_REQUESTS')
  })

  it('sends nothing to a computer with other words', { tags: ['full'] }, async () => {
    const requester = request('--yes')
    const [nameplate] = (await codeOf(requester)).split('-')
    const code = `${nameplate}-apple-kayak-onion`
    const { end, requester: name } = await send(code, origin(), [fileOf('a.txt', 'a')])
    expect(end?.code).toBe('E_CODE_MISMATCH')
    expect(name).toBe('')
  })

  it('sends the right bytes though the relay changes some', { tags: ['full'] }, async () => {
    const content = randomBytes(3 << 20)
    const requester = request('--yes')
    /** Flips a bit of every twentieth message; QUIC drops what it can't authenticate. */
    const altered = sentThrough((bytes, number, pass) => {
      const place = bytes.length - 1
      if (number % 20 === 0 && place > 40) bytes[place] = (bytes[place] ?? 0) ^ 1
      pass(bytes)
    })
    const { end } = await send(await codeOf(requester), origin(), [fileOf('a.bin', content)], {
      openSocket: altered,
    })
    expect(end).toBeNull()
    expect(Buffer.compare(readFileSync(at('in', 'a.bin')), content)).toBe(0)
  })

  /** Passes 36 MiB on, and cuts the connection once when the requester has written 20 of them. */
  function cutOnce(requester: Thru): { readonly openSocket: OpenSocket; carried: () => number } {
    let carried = 0
    let cut: PageSocket | undefined
    const isWritten = ({ bytes }: Line): boolean => Number(bytes) >= 20 << 20
    const socket = sentThrough((bytes, _number, pass, inner) => {
      if (cut === undefined && carried + bytes.length > 36 << 20) {
        cut = inner
        void requester.lineWhere('progress', isWritten).then(() => inner.close())
      }
      if (inner === cut) return
      carried += bytes.length
      pass(bytes)
    })
    return { openSocket: socket, carried: () => carried }
  }

  it('goes on after a lost connection, and sends what is missing', { tags: ['full'] }, async () => {
    const large = randomBytes(40 << 20)
    const requester = request('--yes')
    const { openSocket: cutting, carried } = cutOnce(requester)
    const { end, losses, totalBytes } = await send(
      await codeOf(requester),
      origin(),
      [fileOf('large.bin', large), fileOf('small.txt', 'small')],
      { openSocket: cutting },
    )
    expect(end).toBeNull()
    expect(losses).toBe(1)
    expect(totalBytes).toEqual([0, large.length + 5])
    expect(Buffer.compare(readFileSync(at('in', 'large.bin')), large)).toBe(0)
    expect(carried()).toBeLessThan(60 << 20)
  })

  /** Carries 8 MiB, and nothing more on the same socket, which stays full, as when a network is gone. */
  function fillOnce(onFull: (socket: PageSocket) => void): OpenSocket {
    let carried = 0
    let full: PageSocket | undefined
    return sentThrough((bytes, _number, pass, inner) => {
      if (full === undefined && carried >= 8 << 20) {
        full = inner
        Object.defineProperty(inner, 'bufferedAmount', { value: 1 << 20 })
        // The page is still sending.
        queueMicrotask(() => onFull(inner))
      }
      if (inner === full) return
      carried += bytes.length
      pass(bytes)
    })
  }

  it('goes on after it lost a connection that was full', { tags: ['full'] }, async () => {
    const large = randomBytes(20 << 20)
    const requester = request('--yes')
    const { end, losses } = await send(
      await codeOf(requester),
      origin(),
      [fileOf('large.bin', large)],
      { openSocket: fillOnce((socket) => socket.close()) },
    )
    expect(end).toBeNull()
    expect(losses).toBe(1)
    expect(Buffer.compare(readFileSync(at('in', 'large.bin')), large)).toBe(0)
  })

  it('can be cancelled while the connection is full', { tags: ['full'] }, async () => {
    const code = await codeOf(request('--yes'))
    let cancel: () => void = () => undefined
    const { end } = await send(code, origin(), [fileOf('large.bin', randomBytes(20 << 20))], {
      openSocket: fillOnce(() => cancel()),
      accepted: (one) => (cancel = () => one.cancel()),
    })
    expect(end?.code).toBe('E_CANCELLED')
  })

  it('tells the limits of the server again if a connection ends before a choice', async () => {
    const said: string[] = []
    const sockets: PageSocket[] = []
    const { end } = await send(await codeOf(request('--yes')), origin(), [], {
      openSocket: (url, protocols = []) => {
        const socket = openSocket(url, protocols)
        if (protocols.length > 0) sockets.push(socket)
        return socket
      },
      waits: (event, one) => {
        said.push(event)
        if (event === 'greeted') sockets.at(-1)?.close()
        // The page has no connection any more.
        else if (said.length > 1) one.cancel()
      },
    })
    expect(said).toEqual(['welcomed', 'greeted', 'welcomed'])
    expect(end?.code).toBe('E_CANCELLED')
  })

  it('goes on in another tab with files chosen again', { tags: ['full'] }, async () => {
    const large = randomBytes(40 << 20)
    const requester = request('--yes')
    const code = await codeOf(requester)
    const { openSocket: cutting, carried } = cutOnce(requester)
    const entries = (): readonly ChosenEntry[] => [fileOf('large.bin', large)]
    const closed = await send(code, origin(), entries(), {
      openSocket: cutting,
      ids: twoIds,
      retryMs: [],
    })
    expect(closed.end).not.toBeNull()
    const { end } = await send(code, origin(), entries(), { openSocket: cutting, ids: twoIds })
    expect(end).toBeNull()
    expect(Buffer.compare(readFileSync(at('in', 'large.bin')), large)).toBe(0)
    expect(carried()).toBeLessThan(60 << 20)
  })

  it('says that a killed requester is gone', { tags: ['full'] }, async () => {
    const requester = request('--yes')
    let isHeld = false
    const holding = sentThrough((bytes, _number, pass) => {
      if (!isHeld) pass(bytes)
    })
    const accepted = (): void => {
      isHeld = true
      void requester.stop('SIGKILL')
    }
    const { end } = await send(
      await codeOf(requester),
      origin(),
      [fileOf('large.bin', randomBytes(40 << 20))],
      { openSocket: holding, retryMs: [], accepted },
    )
    expect(end?.code).toBe('E_PEER_GONE')
  })
})
