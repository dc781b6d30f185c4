/** A server that makes things up. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytesOf } from '../tree'
import { honest } from './evil-server'
import { Scene, type Sharing, startMs } from './scene'
import type { ServerMessage } from '#shared/signaling'

let scene: Scene
beforeEach(async () => {
  scene = await Scene.start()
}, startMs)
afterEach(() => scene.end())

const stranger = '0123456789abcdef'
const mailbox = 'A'.repeat(43)
const body = 'AAAA'

const turn = (peer: string): ServerMessage => ({
  t: 'turn',
  peer,
  urls: ['turn:127.0.0.1:9', 'turn:0.0.0.0', 'turn:224.0.0.1', 'turn:127.0.0.1?transport=tcp'],
  ...{ username: 'u', credential: 'c', ttlS: 60 },
})

/** About a peer that doesn't exist, or that a client has nothing to do with. */
const inventions: readonly ServerMessage[] = [
  { t: 'relay', from: stranger, body },
  { t: 'gone', peer: stranger },
  { t: 'error', code: 'E_PEER_GONE', peer: stranger },
  { t: 'error', code: 'E_RATE_LIMITED', mailbox },
  turn(stranger),
  { t: 'listening' },
  { t: 'ring', mailbox, body },
  { t: 'rung', mailbox, reached: true },
]

describe('SIG-15 made-up messages', () => {
  it('to both sides in the middle of a pairing change nothing', async () => {
    const sharing = await scene.host()
    scene.server.attack = ({ from, body: passing, line }) => {
      for (const message of inventions) sharing.line.say(message)
      const real = sharing.line.peers[0]
      if (real !== undefined) sharing.line.say(turn(real))
      void line.joined.then((peer) => {
        for (const message of inventions) line.say(message)
        // A second introduction, and relays without a grant.
        line.say({ t: 'joined', peer: stranger })
        line.say(turn(peer))
        if (from === 'sender') line.say({ t: 'relay', from: stranger, body: passing })
      })
      return [passing]
    }
    await scene.expectReceived(scene.join(sharing.code))
  })

  it('of 1,500 receivers are no more than the share shows, and real ones get in', async () => {
    const sharing = await scene.host('--max-receivers', '2')
    for (let count = 0; count < 1500; count += 1) {
      const receiver = sharing.line.invent(count % 2 === 0 ? undefined : body)
      receiver.leave()
    }
    await scene.expectReceived(scene.join(sharing.code))
  })

  it('that a live receiver is gone end its pairing, and nothing else', async () => {
    const sharing = await scene.host()
    scene.server.attack = ({ from, body: passing }) => {
      const [peer] = sharing.line.peers
      if (from === 'sender' && peer !== undefined) sharing.line.say({ t: 'gone', peer })
      return from === 'sender' ? [] : [passing]
    }
    const left = scene.join(sharing.code)
    expect(await sharing.program.line('error')).toMatchObject({
      peer: sharing.line.peers[0],
      code: 'E_PEER_GONE',
    })
    await left.program.stop('SIGKILL')
    scene.server.attack = honest
    await scene.expectReceived(scene.join(sharing.code))
  })
})

describe('a transfer that already runs', () => {
  /** Takes longer than all that the server does to it. */
  async function running(): Promise<Sharing & { readonly receiving: ReturnType<Scene['join']> }> {
    const large = scene.at('large.bin')
    writeFileSync(large, bytesOf('large', 6_000_000))
    const sharing = await scene.hostOf(large, '--limit-up', '3M')
    const receiving = scene.join(sharing.code)
    await receiving.program.line('progress')
    return { ...sharing, receiving }
  }

  it('goes on when the server says that both sides are gone, and repeats old words', async () => {
    const { receiving, line } = await running()
    const socket = await scene.server.receivers.next()
    for (const given of [...socket.given]) socket.toReceiver(given)
    for (const message of inventions) socket.say(message)
    for (const peer of line.peers) {
      line.say({ t: 'gone', peer })
      line.say({ t: 'error', code: 'E_PEER_GONE', peer })
      line.say({ t: 'relay', from: peer, body })
    }
    socket.say({ t: 'gone', peer: await socket.joined })
    expect((await receiving.program.ended).exitCode).toBe(0)
    scene.expectSame(receiving, 'large.bin')
  })

  it('goes on to its end when the server dies, and the sender looks for it', async () => {
    const { receiving, program } = await running()
    await scene.server.close()
    await program.line('reconnecting')
    expect((await receiving.program.ended).exitCode).toBe(0)
    scene.expectSame(receiving, 'large.bin')
    expect((await program.stop()).exitCode).toBe(0)
  })

  it('goes on when the server sends what is no message', async () => {
    const { receiving, line } = await running()
    line.say({ t: 'peer', peer: 'no id' })
    await scene.server.senders.next()
    expect((await receiving.program.ended).exitCode).toBe(0)
    scene.expectSame(receiving, 'large.bin')
  })
})
