/** A server that alters messages. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Attack, honest } from './evil-server'
import { bodyOf, bytesOfBody, flipped, offsets, payloadTypes, replaced, typeOf } from './payloads'
import { Scene, type Sharing } from './scene'

type Change = (body: string) => string

/** Changes every payload of a type. */
const changing =
  (type: keyof typeof payloadTypes, change: Change): Attack =>
  ({ body }) => [typeOf(body) === payloadTypes[type] ? change(body) : body]

const atOffset =
  (offset: keyof typeof offsets): Change =>
  (body) =>
    flipped(body, offsets[offset])

/** The two sides see different runs, each always the same one. */
const twoRuns: Attack = ({ body }) => [flipped(body, offsets.run)]

/** One scene and share for the cases of a group, which keeps each below the limit of guesses. */
function sceneOfAll() {
  let scene: Scene
  let sharing: Sharing
  beforeAll(async () => {
    scene = await Scene.start()
    sharing = await scene.host()
  })
  afterAll(() => scene.end())
  return { scene: () => scene, sharing: () => sharing }
}

const otherPoint: Change = (body) =>
  // The generator of Ristretto255 (RFC 9496, appendix A.1), a valid element.
  replaced(
    body,
    offsets.share,
    Buffer.from('e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76', 'hex'),
  )

const mismatch = [3, 'E_CODE_MISMATCH', 'E_CODE_MISMATCH'] as const
const protocol = [6, 'E_PEER_PROTOCOL'] as const

/** The receiver's exit code and error, and the sender's report. */
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
  [
    'a field more',
    changing('pake1', (body) => bodyOf(bytesOfBody(body), Buffer.of(1, 7))),
    mismatch,
  ],
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
  const { scene, sharing } = sceneOfAll()

  it.each(cases)("%s can't be swapped", async (_what, attack, [exitCode, code, senderCode]) => {
    scene().server.attack = attack
    const { line, program } = sharing()
    const joins = scene().server.joins
    const peers = line.peers.length
    await scene().expectFailed(scene().join(sharing().code), exitCode, code)
    if (senderCode !== undefined) {
      const error = await program.lineWhere('error', ({ peer }) => peer === line.peers[peers])
      expect(error['code']).toBe(senderCode)
    }
    expect(scene().server.joins - joins).toBe(1)
  })

  it('the next receiver is admitted if the server alters nothing', async () => {
    scene().server.attack = honest
    await scene().expectReceived(scene().join(sharing().code))
  })
})

const isSealed = (body: string) => typeOf(body) === payloadTypes.sealed

type Alteration = (body: string, earlier: readonly string[]) => readonly string[]

/** Alters one side's sealed payloads; the other side's are dropped, so that no route is found sooner. */
const alteringSealedOf = (side: 'receiver' | 'sender', alter: Alteration): Attack => {
  const earlier = new Map<unknown, string[]>()
  return ({ from, body, line }) => {
    if (!isSealed(body)) return [body]
    if (from !== side) return []
    const known = earlier.get(line) ?? []
    earlier.set(line, [...known, body])
    return alter(body, known)
  }
}

const alterations: readonly (readonly [string, Alteration])[] = [
  ['changed', (body) => [flipped(body, offsets.sealedBox + 30)]],
  ['dropped', (body, earlier) => (earlier.length === 0 ? [] : [body])],
  ['repeated', (body) => [body, body]],
  ['reordered', (body, earlier) => (earlier.length === 0 ? [] : [body, ...earlier])],
  ['made up', () => [randomBytes(60).toString('base64url')]],
]

describe('SIG-13 a payload sealed for the receiver', () => {
  const { scene, sharing } = sceneOfAll()

  it.each(alterations)('and %s ends it', async (_what, alter) => {
    scene().server.attack = alteringSealedOf('sender', alter)
    const joins = scene().server.joins
    await scene().expectFailed(scene().join(sharing().code), 10, 'E_SIGNALING_ALTERED')
    // Two sides that know each other may retry automatically, once.
    expect(scene().server.joins - joins).toBe(2)
  })
})

describe('SIG-13 a payload sealed for the sender', () => {
  const { scene, sharing } = sceneOfAll()

  it.each(alterations)('and %s ends it', async (_what, alter) => {
    scene().server.attack = alteringSealedOf('receiver', alter)
    const { line, code, program } = sharing()
    const peers = line.peers.length
    const receiving = scene().join(code)
    const error = await program.lineWhere('error', ({ peer }) => peer === line.peers[peers])
    expect(error['code']).toBe('E_SIGNALING_ALTERED')
    await receiving.program.stop('SIGKILL')
  })

  it('and altered next to a right tag ends it', async () => {
    scene().server.attack = changing('pake4', atOffset('proofBox'))
    await scene().expectFailed(scene().join(sharing().code), 10, 'E_SIGNALING_ALTERED')
  })

  it('and altered once is followed by a run that succeeds', async () => {
    const attack = changing('sealed', (body) => flipped(body, offsets.sealedBox))
    let first: unknown = null
    scene().server.attack = (passing) => {
      first ??= passing.line
      return passing.line === first ? attack(passing) : honest(passing)
    }
    await scene().expectReceived(scene().join(sharing().code))
  })

  it('and only delayed, or separated from its join, has no effect', async () => {
    scene().server.attack = ({ from, body, line }) => {
      // Delayed, but in the same order.
      void line.joined.then(() => {
        if (from === 'receiver') line.toSender(body)
        else line.toReceiver(body)
      })
      return []
    }
    await scene().expectReceived(scene().join(sharing().code))
  })
})
