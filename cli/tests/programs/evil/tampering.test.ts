/** A server that alters what it passes on. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Attack, honest } from './evil-server'
import { bodyOf, bytesOfBody, flipped, offsets, payloadTypes, replaced, typeOf } from './payloads'
import { Scene, type Sharing } from './scene'

type Change = (body: string) => string

/** Changes each payload of a type, as long as it passes. */
const changing =
  (type: keyof typeof payloadTypes, change: Change): Attack =>
  ({ body }) => [typeOf(body) === payloadTypes[type] ? change(body) : body]

const atOffset =
  (offset: keyof typeof offsets): Change =>
  (body) =>
    flipped(body, offsets[offset])

/** Both sides see another run than the other one, and each always the same. */
const twoRuns: Attack = ({ body }) => [flipped(body, offsets.run)]

const otherPoint: Change = (body) =>
  // The generator of Ristretto255 (RFC 9496, appendix A.1): an element like any other.
  replaced(
    body,
    offsets.share,
    Buffer.from('e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76', 'hex'),
  )

const mismatch = [3, 'E_CODE_MISMATCH', 'E_CODE_MISMATCH'] as const
const protocol = [6, 'E_PEER_PROTOCOL'] as const

/** What the receiver ends with, and what the sender says of it. */
type Case = readonly [
  what: string,
  attack: Attack,
  end: readonly [exitCode: number, receiver: string, sender?: string],
]

const inFirst: readonly Case[] = [
  ['the fingerprint', changing('pake1', atOffset('fingerprint')), mismatch],
  ['the share', changing('pake1', otherPoint), mismatch],
  ['the run, each way', twoRuns, mismatch],
  ['the run', changing('pake1', atOffset('run')), protocol],
  ['the kind', changing('pake1', atOffset('kind')), mismatch],
  ['a field more', changing('pake1', (body) => bodyOf(bytesOfBody(body), Buffer.of(1, 7))), mismatch],
]

const inAnswer: readonly Case[] = [
  ['the fingerprint', changing('pake2', atOffset('fingerprint')), mismatch],
  ['the session', changing('pake2', atOffset('session')), mismatch],
  ['the share', changing('pake2', otherPoint), mismatch],
  ['the role', changing('pake2', (body) => replaced(body, offsets.role, 'recv')), protocol],
  ['the run', changing('pake2', atOffset('run')), protocol],
]

const inProofs: readonly Case[] = [
  ["the receiver's tag", changing('pake3', atOffset('tag')), mismatch],
  ["the sender's tag", changing('pake4', atOffset('tag')), [10, 'E_PEER_IDENTITY']],
  ['the type', changing('pake4', (body) => replaced(body, offsets.type, Buffer.of(3))), protocol],
]

describe.each([
  ["the receiver's first payload", inFirst],
  ["the sender's first payload", inAnswer],
  ['a proof', inProofs],
])('PAIR-05 in %s', (_where, cases) => {
  let scene: Scene
  let sharing: Sharing
  beforeAll(async () => {
    scene = await Scene.start()
    sharing = await scene.host()
  })
  afterAll(() => scene.end())

  it.each(cases)('%s can not be swapped', async (_what, attack, [exitCode, code, told]) => {
    scene.server.attack = attack
    const joins = scene.server.joins
    const peers = sharing.line.peers.length
    await scene.expectFailed(scene.join(sharing.code), exitCode, code)
    const peer = sharing.line.peers[peers]
    if (told !== undefined) {
      const error = await sharing.program.lineWhere('error', (line) => line['peer'] === peer)
      expect(error['code']).toBe(told)
    }
    expect(scene.server.joins - joins).toBe(1)
  })

  it('a server that alters nothing lets the next one in', async () => {
    scene.server.attack = honest
    await scene.expectReceived(scene.join(sharing.code))
  })
})

describe('SIG-13 what is sealed', () => {
  let scene: Scene
  let sharing: Sharing
  beforeAll(async () => {
    scene = await Scene.start()
    sharing = await scene.host()
  })
  afterAll(() => scene.end())

  const isSealed = (body: string) => typeOf(body) === payloadTypes.sealed

  /** Alters what one side sealed; the other side's words are lost, so that no way is found sooner. */
  const sealedOf =
    (side: 'receiver' | 'sender', alter: (body: string, earlier: readonly string[]) => readonly string[]) =>
    (): Attack => {
      const earlier: string[] = []
      return ({ from, body }) => {
        if (!isSealed(body)) return [body]
        if (from !== side) return []
        const altered = alter(body, earlier)
        earlier.push(body)
        return altered
      }
    }

  const alterations = [
    ['changed', (body: string) => [flipped(body, offsets.sealedBox + 30)]],
    ['counted anew', (body: string) => [flipped(body, offsets.counter + 7)]],
    ['dropped', (body: string, earlier: readonly string[]) => (earlier.length === 0 ? [] : [body])],
    ['repeated', (body: string) => [body, body]],
    [
      'reordered',
      (body: string, earlier: readonly string[]) =>
        earlier.length === 0 ? [] : earlier.length === 1 ? [body, ...earlier] : [body],
    ],
    ['of another run', (body: string) => [flipped(body, offsets.run)]],
    ['cut off', (body: string) => [bodyOf(bytesOfBody(body).subarray(0, 20))]],
    ['made up', () => [randomBytes(60).toString('base64url')]],
  ] as const

  it.each(alterations)('and %s on the way to the receiver ends it', async (_what, alter) => {
    const attacks = sealedOf('sender', alter)
    const joins = scene.server.joins
    const fresh = new Map<unknown, Attack>()
    scene.server.attack = (passing) => {
      const attack = fresh.get(passing.line) ?? attacks()
      fresh.set(passing.line, attack)
      return attack(passing)
    }
    await scene.expectFailed(scene.join(sharing.code), 10, 'E_SIGNALING_ALTERED')
    // Two who know each other may begin again by themselves, once.
    expect(scene.server.joins - joins).toBe(2)
  })

  it.each(alterations)('and %s on the way to the sender ends it', async (_what, alter) => {
    scene.server.attack = sealedOf('receiver', alter)()
    const peers = sharing.line.peers.length
    const { program } = scene.join(sharing.code)
    const error = await sharing.program.lineWhere(
      'error',
      (line) => line['peer'] === sharing.line.peers[peers],
    )
    expect(error['code']).toBe('E_SIGNALING_ALTERED')
    await program.stop('SIGKILL')
  })

  it('beside a right tag and altered ends it', async () => {
    scene.server.attack = changing('pake4', atOffset('proofBox'))
    await scene.expectFailed(scene.join(sharing.code), 10, 'E_SIGNALING_ALTERED')
  })

  it('and altered once is followed by a run that succeeds', async () => {
    const attack = changing('sealed', (body) => flipped(body, offsets.sealedBox))
    let first: unknown = null
    scene.server.attack = (passing) => {
      first ??= passing.line
      return passing.line === first ? attack(passing) : honest(passing)
    }
    await scene.expectReceived(scene.join(sharing.code))
  })

  it('and unaltered lets the two meet', async () => {
    scene.server.attack = honest
    await scene.expectReceived(scene.join(sharing.code))
  })
})
