/** At which ports programs listen, by what the system says of their sockets, and what strangers get there. */
import { createSocket } from 'node:dgram'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { connect, isIPv6 } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { codeOf, programRig } from './program-rig'
import type { Thru } from './thru'
import { bytesOf } from './tree'

const { at, thru } = programRig('open-ports')

const patienceMs = 30_000

type Port = { readonly protocol: 'tcp' | 'udp'; readonly host: string; readonly port: number }

/** Files of `/proc/net`, and the state of a socket there that receives from any address. */
const tables = [
  ['tcp', '0A'],
  ['tcp6', '0A'],
  ['udp', '07'],
  ['udp6', '07'],
] as const

/** The addresses at which a program accepts connections or datagrams from any address. */
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

/** Empty for one that was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** The address as the kernel writes it, in words of this computer's order; one of all interfaces is that of the loopback. */
function reachedAt(hex: string): string {
  const words = hex.match(/.{8}/g) ?? []
  const bytes = words.flatMap((word) => (word.match(/../g) ?? []).reverse())
  if (bytes.every((byte) => byte === '00')) return bytes.length === 4 ? '127.0.0.1' : '::1'
  return bytes.length === 4
    ? bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
    : (bytes.join('').match(/.{4}/g) ?? []).join(':')
}

/** A request of STUN without credentials, the beginning of QUIC in a version that nobody speaks, and noise. */
const greetings = [
  Buffer.from('000100002112a442000102030405060708090a0b', 'hex'),
  Buffer.concat([Buffer.from('c01a2a3a4a08', 'hex'), Buffer.alloc(1200, 7)]),
  Buffer.concat([Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(1100, 0x41)]),
  Buffer.alloc(1, 0),
]

/** Says all of this at a port; what is answered goes to `answers`. */
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
  'programs listen while two sides are connected and no longer, and answer no stranger there',
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
    await expect.poll(() => portsOf(sender), { timeout: patienceMs }).toEqual([])
  },
)
