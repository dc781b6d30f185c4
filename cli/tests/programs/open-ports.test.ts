/** Ports on which programs listen, from the system's list of their sockets, and their answers to strangers. */
import { createSocket } from 'node:dgram'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { connect, isIPv6 } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { codeOf, programRig } from './program-rig'
import type { Thru } from './thru'
import { bytesOf } from './tree'

const { at, thru } = programRig('open-ports')

type Port = { readonly protocol: 'tcp' | 'udp'; readonly host: string; readonly port: number }

/** Files of `/proc/net`, and the state there of a socket that accepts any source. */
const tables = [
  ['tcp', '0A'],
  ['tcp6', '0A'],
  ['udp', '07'],
  ['udp6', '07'],
] as const

/** The addresses on which a program accepts connections or datagrams from anywhere. */
function portsOf({ pid }: Thru): readonly Port[] {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)))
  return tables.flatMap(([table, open]) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
        const [address = '', port = ''] = local.split(':')
        return state !== open || !own.has(`socket:[${inode}]`)
          ? []
          : [
              {
                protocol: table.startsWith('tcp') ? ('tcp' as const) : ('udp' as const),
                host: reachedAt(address),
                port: Number.parseInt(port, 16),
              },
            ]
      }),
  )
}

/** The link's target; empty if the file was closed in the meantime. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Decodes the kernel's hexadecimal address, in words of this computer's byte order; a wildcard becomes loopback. */
function reachedAt(hex: string): string {
  const words = hex.match(/.{8}/g) ?? []
  const bytes = words.flatMap((word) => (word.match(/../g) ?? []).reverse())
  if (bytes.every((byte) => byte === '00')) return bytes.length === 4 ? '127.0.0.1' : '::1'
  return bytes.length === 4
    ? bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
    : (bytes.join('').match(/.{4}/g) ?? []).join(':')
}

/** A STUN request without credentials, the beginning of QUIC in an unknown version, and noise. */
const greetings = [
  Buffer.from('000100002112a442000102030405060708090a0b', 'hex'),
  Buffer.concat([Buffer.from('c01a2a3a4a08', 'hex'), Buffer.alloc(1200, 7)]),
  Buffer.concat([Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(1100, 0x41)]),
  Buffer.alloc(1, 0),
]

/** Sends all greetings to a port; responses go to `answers`. */
function greet({ protocol, host, port }: Port, answers: string[]): void {
  const note = (data: Buffer): void =>
    void answers.push(`${protocol} ${host}: ${data.toString('hex')}`)
  if (protocol === 'tcp') {
    for (const greeting of greetings) {
      const socket = connect(port, host, () => socket.write(greeting))
      socket.on('data', note)
      socket.on('error', () => undefined)
      onTestFinished(() => void socket.destroy())
    }
    return
  }
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  socket.on('message', note)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.close())
  for (const greeting of greetings) socket.send(greeting, port, host)
}

it.runIf(process.platform === 'linux')(
  'programs listen only while two sides are connected, and answer no stranger',
  async () => {
    writeFileSync(at('in'), bytesOf('in', 4_000_000))
    const sender = thru(['host', at('in'), '--json', '--limit-up', '2MB/s'])
    const code = await codeOf(sender)
    expect(portsOf(sender)).toEqual([])
    const receiver = thru(['join', code, '--out', at('dst'), '--yes', '--json'])
    await receiver.line('progress')
    const open = [...portsOf(sender), ...portsOf(receiver)]
    expect(open.filter(({ protocol }) => protocol === 'udp')).not.toEqual([])
    const answers: string[] = []
    for (const port of open) greet(port, answers)
    expect(await receiver.ended).toMatchObject({ exitCode: 0 })
    expect(answers).toEqual([])
    await expect.poll(() => portsOf(sender)).toEqual([])
  },
)
