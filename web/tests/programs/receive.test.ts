import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, programRig } from '../../../cli/tests/programs/program-rig'
import { Thru } from '../../../cli/tests/programs/thru'
import { writeTree } from '../../../cli/tests/programs/tree'
import type { PageSocket } from '../../signaling/introduction'
import { openSocket, receive } from './page-receiver'

const { at, start } = programRig('web')

let server: Thru
let serverUrl = ''

beforeAll(async () => {
  server = new Thru(
    ['serve', '--port', '0', '--host', '127.0.0.1', '--trust-loopback', '--server-relays', '10'],
    { env: { THRU_SERVER_RELAY_BYTES_PER_SEC: '1000000000' } },
  )
  serverUrl = (await server.match(/ws:\S+/))[0]
})
afterAll(() => server.stop())

const host = (...args: readonly string[]): Thru =>
  start(['host', ...args, '--json', '--name', 'Mina', '--server-url', serverUrl])
const origin = (): string => new URL(serverUrl).href.replace(/\/$/, '')

describe('a page', () => {
  it('receives files of every size from thru, byte for byte', async () => {
    const large = randomBytes(20 << 20)
    writeTree(at('src'), {
      'large.bin': large,
      'empty.txt': '',
      'deep/folder/note.txt': 'remember',
    })
    const sender = host(at('src'))
    const {
      entries,
      files,
      end,
      safety,
      sender: name,
    } = await receive(await codeOf(sender), origin())
    expect(end).toBeNull()
    expect(await sender.line('connected')).toMatchObject({ name: 'Page', browser: true })
    expect(name).toBe('Mina')
    expect(safety).toMatch(/^\d{6}$/)
    expect(entries.filter(({ kind }) => kind === 'folder')).toHaveLength(3)
    expect([...files.keys()].sort()).toEqual([
      'src/deep/folder/note.txt',
      'src/empty.txt',
      'src/large.bin',
    ])
    expect(Buffer.compare(files.get('src/large.bin') ?? new Uint8Array(), large)).toBe(0)
    expect(new TextDecoder().decode(files.get('src/deep/folder/note.txt'))).toBe('remember')
    expect(await sender.line('done')).toMatchObject({ type: 'done' })
    await sender.stop()
  })

  it('receives only what is wanted', async () => {
    writeTree(at('src'), { 'a.txt': 'a', 'b.txt': 'b' })
    const sender = host(at('src', 'a.txt'), at('src', 'b.txt'))
    const { files, end } = await receive(await codeOf(sender), origin(), { without: ['a.txt'] })
    expect(end).toBeNull()
    expect([...files.keys()]).toEqual(['b.txt'])
    await sender.stop()
  })

  it('is refused with wrong words', async () => {
    writeTree(at('src'), { 'a.txt': 'a' })
    const sender = host(at('src', 'a.txt'))
    const [nameplate] = (await codeOf(sender)).split('-')
    const { end, files } = await receive(`${nameplate}-apple-kayak-onion`, origin())
    expect(end?.code).toBe('E_CODE_MISMATCH')
    expect(files.size).toBe(0)
    await sender.stop()
  })

  it('ends when it has no room', async () => {
    writeTree(at('src'), { 'a.bin': randomBytes(100_000) })
    const sender = host(at('src', 'a.bin'))
    const store = {
      keep: () => Promise.reject(new Error('full')),
      file: () => Promise.resolve(new Blob()),
      clear: () => Promise.resolve(),
    }
    const { end } = await receive(await codeOf(sender), origin(), { store })
    expect(end?.code).toBe('E_DISK_FULL')
    await sender.stop()
  })

  it('accepts nothing that the relay changes', async () => {
    writeTree(at('src'), { 'a.bin': randomBytes(3 << 20) })
    const sender = host(at('src', 'a.bin'))
    const sent = await codeOf(sender)
    /** Flips a bit of every thousandth message; QUIC drops what it can't authenticate, and asks again. */
    const altered = (url: string, protocols: readonly string[] = []): PageSocket => {
      const socket = openSocket(url, protocols)
      if (protocols.length === 0) return socket
      let messages = 0
      return new Proxy(socket, {
        get: (target, key) => {
          const value: unknown = Reflect.get(target, key)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
        set: (target, key, value: unknown) => {
          if (key !== 'onmessage') return Reflect.set(target, key, value)
          target.onmessage = (event) => {
            const bytes = new Uint8Array(event.data as ArrayBuffer)
            messages += 1
            const place = bytes.length - 1
            if (messages % 20 === 0 && place > 40) bytes[place] = (bytes[place] ?? 0) ^ 1
            ;(value as (event: { data: unknown }) => void)({ data: bytes.buffer })
          }
          return true
        },
      })
    }
    const { end, files } = await receive(sent, origin(), { openSocket: altered })
    expect(end).toBeNull()
    expect(files.get('a.bin')?.length).toBe(3 << 20)
    await sender.stop()
  })
})
