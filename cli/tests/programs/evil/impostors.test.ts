/** A server that plays one side itself, with recorded messages, nonsense, or the right words. */
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { nameplateOf, wordsOf } from '#shared/code/join-code'
import { linesOf } from '../thru'
import { type Attack, honest, type InventedReceiver } from './evil-server'
import { FakeReceiver } from './fake-receiver'
import {
  bodyOf,
  bytesOfBody,
  failureCodeOf,
  field,
  offsets,
  payloadTypes,
  replaced,
  typeOf,
} from './payloads'
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

const isOf = (type: keyof typeof payloadTypes, body: string): boolean =>
  typeOf(body) === payloadTypes[type]

describe('PAIR-06 a receiver that receives its own message', () => {
  const withType = (body: string, type: number) => replaced(body, offsets.type, Buffer.of(type))
  const asSender = (body: string) =>
    bodyOf(
      bytesOfBody(replaced(withType(body, payloadTypes.pake2), offsets.role, 'send')).subarray(
        0,
        offsets.kind - 1,
      ),
      Buffer.of(16),
      randomBytes(16),
    )

  it.each([
    ['as it is', (body: string) => body],
    ['as an answer', (body: string) => withType(body, payloadTypes.pake2)],
    ['as an answer of a sender', asSender],
  ])('%s ends', async (_how, reflect) => {
    scene.server.attack = ({ from, body, line }) => {
      if (from === 'receiver') void line.joined.then(() => line.toReceiver(reflect(body)))
      return []
    }
    await scene.expectFailed(scene.join(sharing.code), 6, 'E_PEER_PROTOCOL')
  })

  it("in place of the sender's proof fails", async () => {
    scene.server.attack = ({ body, line }) => {
      if (!isOf('pake3', body)) return [body]
      line.toReceiver(withType(body, payloadTypes.pake4))
      return []
    }
    const { stdout } = await scene.expectFailed(scene.join(sharing.code), 10, 'E_PEER_IDENTITY')
    expect(stdout).toContain("The other side couldn't be verified: someone may be interfering.")
  })
})

describe('a replay', () => {
  it('of an earlier run admits no one', async () => {
    const heard: string[] = []
    scene.server.attack = ({ from, body }) => {
      if (from === 'receiver') heard.push(body)
      return [body]
    }
    await scene.expectReceived(scene.join(sharing.code))
    const [opening = '', proof = ''] = heard
    expect([typeOf(opening), typeOf(proof)]).toEqual([payloadTypes.pake1, payloadTypes.pake3])

    const again = sharing.line.invent(opening)
    expect(failureCodeOf(await again.heard.next())).toBe('E_RATE_LIMITED')

    const fake = fakeOf()
    const withProof = sharing.line.invent(fake.opening)
    await withProof.heard.next()
    withProof.send(proof)
    expect(await verdictOn(withProof)).toBe('E_PEER_PROTOCOL')

    const other = fakeOf()
    const inItsRun = sharing.line.invent(other.opening)
    const answer = await inItsRun.heard.next()
    inItsRun.send(replaced(proof, offsets.run, field(answer, offsets.run, 16)))
    expect(failureCodeOf(await inItsRun.heard.next())).toBe('E_CODE_MISMATCH')
    expect(await sharing.program.line('guesses')).toMatchObject({ wrong: 1 })
  })

  it('of one receiver to another at the same time ends both', async () => {
    const answers: { readonly body: string; readonly attack: Parameters<Attack>[0] }[] = []
    scene.server.attack = (passing) => {
      if (!isOf('pake2', passing.body)) return [passing.body]
      answers.push({ body: passing.body, attack: passing })
      const [first, second] = answers
      if (first !== undefined && second !== undefined) {
        first.attack.line.toReceiver(second.body)
        second.attack.line.toReceiver(first.body)
      }
      return []
    }
    const both = [scene.join(sharing.code), scene.join(sharing.code)]
    for (const receiving of both) await scene.expectFailed(receiving, 6, 'E_PEER_PROTOCOL')
  })
})

describe('SIG-12 a made-up receiver', () => {
  const startBytes = 18
  const shareOf = (opening: string) => field(opening, startBytes, 32)
  const withShare = (opening: string, share: Uint8Array) =>
    bodyOf(
      bytesOfBody(opening).subarray(0, startBytes),
      share,
      bytesOfBody(opening).subarray(startBytes + 32),
    )
  const someProof = (body: string) =>
    bodyOf(Buffer.of(2, payloadTypes.pake3), field(body, offsets.run, 16), randomBytes(64 + 80))

  it.each([
    ['with a proof and nothing before it', (opening: string) => someProof(opening)],
    ["with a sender's answer", (opening: string) => replaced(opening, 1, Buffer.of(2))],
    [
      'with a share too short',
      (opening: string) => withShare(opening, shareOf(opening).subarray(1)),
    ],
    [
      'with a share too long',
      (opening: string) => withShare(opening, Buffer.concat([shareOf(opening), Buffer.of(0)])),
    ],
    ['with no fields', (opening: string) => bodyOf(bytesOfBody(opening).subarray(0, startBytes))],
    ['of no type', (opening: string) => replaced(opening, 1, Buffer.of(99))],
  ])('%s is left', async (_what, altered) => {
    expect(await verdictOn(sharing.line.invent(altered(fakeOf().opening)))).toBe('E_PEER_PROTOCOL')
  })

  it.each([
    ['no canonical encoding', Buffer.alloc(32, 0xff)],
    ['the identity', Buffer.alloc(32)],
  ])('whose share is %s hears nothing', async (_what, share) => {
    const mute = sharing.line.invent(withShare(fakeOf().opening, share))
    const fake = fakeOf()
    const next = sharing.line.invent(fake.opening)
    expect(isOf('pake2', await next.heard.next())).toBe(true)
    expect(mute.heard.isEmpty).toBe(true)
    for (const receiver of [mute, next]) receiver.leave()
  })

  it('is dropped after a second proof, and after one in another run', async () => {
    for (const second of [(proof: string) => proof, someProof]) {
      const fake = fakeOf()
      const receiver = sharing.line.invent(fake.opening)
      const proof = fake.prove(await receiver.heard.next())
      receiver.send(proof)
      expect(fake.believes(await receiver.heard.next())).toBe(true)
      receiver.send(second(proof))
      expect(await verdictOn(receiver)).toBe('E_PEER_PROTOCOL')
    }
  })
})

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

it('after all attacks the sender has counted one guess and serves a receiver with the words', async () => {
  scene.server.attack = honest
  await scene.expectReceived(scene.join(sharing.code))
  const { stdout } = await sharing.program.stop()
  const guesses = linesOf(stdout).filter(({ type }) => type === 'guesses')
  expect(guesses.map(({ wrong }) => wrong)).toEqual([1])
})
