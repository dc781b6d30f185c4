import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { codeOf, programRig } from '../../../cli/tests/programs/program-rig'
import type { Thru } from '../../../cli/tests/programs/thru'
import { writeTree } from '../../../cli/tests/programs/tree'
import { receive } from './page-receiver'
import { relayed } from './relayed'

const relays = { env: { THRU_SERVER_RELAY_BYTES_PER_SEC: '1000000000' } }
const { at, thru, serverUrl } = programRig('web', ['--server-relays', '10'], relays)

const host = (...args: readonly string[]): Thru =>
  thru(['host', ...args, '--json', '--name', 'Mina'])
const origin = (): string => new URL(serverUrl()).href.replace(/\/$/, '')

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
    const { end } = await receive(await codeOf(sender), origin(), { maxBytes: 50_000 })
    expect(end?.code).toBe('E_DISK_FULL')
    await sender.stop()
  })

  it('accepts nothing that the relay changes', async () => {
    writeTree(at('src'), { 'a.bin': randomBytes(3 << 20) })
    const sender = host(at('src', 'a.bin'))
    const sent = await codeOf(sender)
    /** Flips a bit of every twentieth message; QUIC drops what it can't authenticate, and asks again. */
    const altered = relayed((bytes, number, pass) => {
      const place = bytes.length - 1
      if (number % 20 === 0 && place > 40) bytes[place] = (bytes[place] ?? 0) ^ 1
      pass(bytes)
    })
    const { end, files } = await receive(sent, origin(), { openSocket: altered })
    expect(end).toBeNull()
    expect(files.get('a.bin')?.length).toBe(3 << 20)
    await sender.stop()
  })

  it('accepts nothing that the relay holds back and repeats', async () => {
    writeTree(at('src'), { 'a.bin': randomBytes(3 << 20) })
    const sender = host(at('src', 'a.bin'))
    const sent = await codeOf(sender)
    let rest = Buffer.alloc(0)
    let held: Uint8Array<ArrayBuffer> | null = null
    let frames = 0
    const { end, files } = await receive(sent, origin(), {
      openSocket: relayed((bytes, _number, pass) => {
        // The first message only shows that the sender is there.
        if (bytes.length === 0) pass(bytes)
        rest = Buffer.concat([rest, bytes])
        while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
          const frame = new Uint8Array(rest.subarray(0, 2 + rest.readUInt16BE(0)))
          rest = rest.subarray(frame.length)
          frames += 1
          // Every tenth datagram arrives twice, and some arrive after the next ones.
          if (frames % 10 === 0) pass(frame)
          if (held === null && frames % 10 === 5) held = frame
          else pass(frame)
          if (held !== null && frames % 10 === 8) {
            pass(held)
            held = null
          }
        }
      }),
    })
    expect(end).toBeNull()
    expect(files.get('a.bin')?.length).toBe(3 << 20)
    await sender.stop()
  })

  it('resumes after a lost connection, and receives only what is missing', async () => {
    const large = randomBytes(40 << 20)
    writeTree(at('src'), { 'large.bin': large, 'small.txt': 'small' })
    const sender = host(at('src'))
    let carried = 0
    let isCut = false
    const { end, files, figures, losses } = await receive(await codeOf(sender), origin(), {
      openSocket: relayed((bytes, _number, pass, socket) => {
        carried += bytes.length
        if (!isCut && carried > 36 << 20) {
          isCut = true
          socket.close()
        } else pass(bytes)
      }),
    })
    expect(end).toBeNull()
    expect(losses).toBe(1)
    const [atFirst, whenLost, whenFound] = figures
    expect(atFirst).toBeNull()
    expect(whenLost).toMatchObject({ totalFiles: 2, totalBytes: large.length + 5 })
    expect(whenFound).toEqual(whenLost)
    expect(Buffer.compare(files.get('src/large.bin') ?? new Uint8Array(), large)).toBe(0)
    // One of five segments at least was complete; the others may have been on their way together.
    expect(carried).toBeLessThan(74 << 20)
    await sender.stop()
  })
})
