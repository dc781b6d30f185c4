/** A server that plays a receiver with the right words. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { nameplateOf, wordsOf } from '#shared/code/join-code'
import { type InventedReceiver } from './evil-server'
import { FakeReceiver } from './fake-receiver'
import { Scene, type Sharing } from './scene'

let scene: Scene
let sharing: Sharing
beforeAll(async () => {
  scene = await Scene.start()
  sharing = await scene.host()
})
afterAll(() => scene.end())

const fakeOf = (words = wordsOf(sharing.code)) => new FakeReceiver(nameplateOf(sharing.code), words)

/** The sender's error for an invented receiver. */
const verdictOn = async ({ id }: InventedReceiver): Promise<unknown> =>
  (await sharing.program.lineWhere('error', ({ peer }) => peer === id))['code']

describe('SIG-14 a receiver that knows the words', () => {
  /** A socket whose address is sent as a candidate; any datagram to it shows that the candidate was used. */
  async function trap(port = 0): Promise<{ readonly socket: Socket; readonly port: number }> {
    const socket = createSocket('udp4')
    onTestFinished(() => void socket.close())
    socket.bind(port)
    await once(socket, 'listening')
    return { socket, port: socket.address().port }
  }

  const ownAddresses = () =>
    Object.values(networkInterfaces()).flatMap((found) =>
      (found ?? []).flatMap(({ family, internal, address }) =>
        family === 'IPv4' && !internal ? [address] : [],
      ),
    )

  const lineOf = (priority: number, address: string, port: number) =>
    `candidate:${priority} 1 UDP ${priority} ${address} ${port} typ host`

  it.runIf(process.getuid?.() === 0)('makes the sender contact no service', async () => {
    const [low, open] = [await trap(1022), await trap()]
    let knocks = 0
    low.socket.on('message', () => (knocks += 1))
    const fake = fakeOf()
    const receiver = sharing.line.invent(fake.opening)
    receiver.send(fake.prove(await receiver.heard.next()))
    const highest = 2_130_706_431
    const own = ['127.0.0.1', ...ownAddresses()]
    const ignored = ['localhost', 'somewhere.local', '0.0.0.0', '224.0.0.1', ...own]
    for (let sent = 0; sent < 200; sent += 1) {
      const address = ignored[sent % ignored.length] ?? ''
      receiver.send(fake.candidate(lineOf(highest - sent, address, low.port)))
    }
    for (const address of own) receiver.send(fake.candidate(lineOf(1000, address, open.port)))
    await once(open.socket, 'message')
    receiver.send(fake.candidate(`candidate:${'1'.repeat(600)}`))
    expect(await verdictOn(receiver)).toBe('E_PEER_PROTOCOL')
    expect(knocks).toBe(0)
  })
})
