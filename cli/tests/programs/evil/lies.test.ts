/** A server that invents messages. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nameplateOf, wordsOf } from '#shared/code/join-code'
import type { ServerMessage } from '#shared/signaling/messages'
import { linesOf } from '../thru'
import { bytesOf } from '../tree'
import { honest } from './evil-server'
import { Scene, type Sharing } from './scene'

let scene: Scene
beforeEach(async () => {
  scene = await Scene.start()
})
afterEach(() => scene.end())

const stranger = '0123456789abcdef'
const body = 'AAAA'

/** Messages about a peer that doesn't exist or doesn't concern the client. */
const inventions: readonly ServerMessage[] = [
  { t: 'relay', from: stranger, body },
  { t: 'gone', peer: stranger },
  { t: 'error', code: 'E_PEER_GONE', peer: stranger },
  { t: 'listening' },
]

describe('SIG-15 made-up messages', () => {
  it('to both sides in the middle of a pairing change nothing', async () => {
    const sharing = await scene.host()
    scene.server.attack = ({ from, body: passing, line }) => {
      for (const message of inventions) sharing.line.say(message)
      void line.joined.then(() => {
        for (const message of inventions) line.say(message)
        // A second introduction.
        line.say({ t: 'joined', peer: stranger })
        if (from === 'sender') line.say({ t: 'relay', from: stranger, body: passing })
      })
      return [passing]
    }
    await scene.expectReceived(scene.join(sharing.code))
  })

  it("of 1,500 receivers don't exceed the share's limit, and real receivers get in", async () => {
    const sharing = await scene.host('--receivers', '2')
    for (let count = 0; count < 1500; count += 1) {
      const receiver = sharing.line.invent(count % 2 === 0 ? undefined : body)
      receiver.leave()
    }
    await scene.expectReceived(scene.join(sharing.code))
  })

  it('of an unrequested number are ignored, and the share keeps its number', async () => {
    const sharing = await scene.host()
    const lies = ['1234', nameplateOf(sharing.code)]
    let { line } = sharing
    let codes = await sharing.program.lines('code', 1)
    for (const nameplate of lies) {
      line.say({ t: 'hosted', nameplate, ttlS: 60 })
      line.say({ t: 'peer', peer: stranger, body })
      line = await scene.server.senders.next()
      codes = await sharing.program.lines('code', codes.length + 1)
    }
    expect(new Set(codes.map((one) => one['code']))).toEqual(new Set([sharing.code]))
    await scene.expectReceived(scene.join(sharing.code))
  })

  it('before the first number end an attempt, but no share', async () => {
    const sharing = await scene.host()
    sharing.line.cut()
    const early = await scene.server.senders.next()
    early.say({ t: 'peer', peer: stranger, body })
    await scene.server.senders.next()
    await sharing.program.lines('code', 2)
    await scene.expectReceived(scene.join(sharing.code))
  })

  it('that a live receiver is gone end only its pairing', async () => {
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

describe('a running transfer', { tags: ['full'] }, () => {
  /** A transfer that outlasts the attacks. */
  async function running(): Promise<Sharing & { readonly receiving: ReturnType<Scene['join']> }> {
    const large = scene.at('large.bin')
    writeFileSync(large, bytesOf('large', 6_000_000))
    const sharing = await scene.hostOf(large, '--limit-up', '3M')
    const receiving = scene.join(sharing.code)
    await receiving.program.line('progress')
    return { ...sharing, receiving }
  }

  it('continues when the server reports both sides as gone and repeats old messages', async () => {
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

  it('continues when the server keeps introducing its receiver', async () => {
    const { receiving, line, program } = await running()
    for (let count = 0; count < 100; count += 1) {
      for (const peer of line.peers) {
        line.say({ t: 'peer', peer, body })
        line.say({ t: 'relay', from: peer, body })
      }
    }
    expect((await receiving.program.ended).exitCode).toBe(0)
    scene.expectSame(receiving, 'large.bin')
    expect(linesOf((await program.stop()).stdout).filter(({ type }) => type === 'error')).toEqual(
      [],
    )
  })

  it('continues when the server keeps changing the number of the share', async () => {
    const { receiving, line, program } = await running()
    scene.server.forgetsNameplates = true
    line.cut()
    ;(await scene.server.senders.next()).cut()
    await scene.server.senders.next()
    const codes = await program.lines('code', 2)
    const [first, last] = [codes[0], codes.at(-1)].map((one) => String(one?.['code']))
    expect(wordsOf(last ?? '')).not.toBe(wordsOf(first ?? ''))
    expect((await receiving.program.ended).exitCode).toBe(0)
    scene.expectSame(receiving, 'large.bin')
  })

  it('continues to its end when the server dies, and the sender reconnects to it', async () => {
    const { receiving, program } = await running()
    await scene.server.close()
    await program.line('reconnecting')
    expect((await receiving.program.ended).exitCode).toBe(0)
    scene.expectSame(receiving, 'large.bin')
    expect((await program.stop()).exitCode).toBe(0)
  })

  it('continues when the server sends invalid messages', async () => {
    const { receiving, line } = await running()
    line.say({ t: 'peer', peer: 'no id' })
    await scene.server.senders.next()
    expect((await receiving.program.ended).exitCode).toBe(0)
    scene.expectSame(receiving, 'large.bin')
  })
})
