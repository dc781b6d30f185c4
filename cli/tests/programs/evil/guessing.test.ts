/**
 * A server that invents receivers to guess words while a real one is served. The sender's delays make 50
 * guesses take 20 minutes: THRU_LONG_TESTS=1 waits for the lock.
 */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nameplateOf, wordsOf } from '#shared/code/join-code'
import { type Line } from '../thru'
import { bytesOf } from '../tree'
import { type InventedReceiver } from './evil-server'
import { FakeReceiver } from './fake-receiver'
import { failureCodeOf, payloadTypes, typeOf } from './payloads'
import { Scene } from './scene'

const isLong = process.env['THRU_LONG_TESTS'] === '1'
const maxGuesses = 50
const fakes = isLong ? 60 : 12

let scene: Scene
beforeEach(async () => {
  scene = await Scene.start()
})
afterEach(() => scene.end())

/** The result of one guess, and the time of the sender's response. */
type Guess = { readonly code: string | undefined; readonly atMs: number }

/** Sends its proof as soon as the sender allows it. */
async function guess(fake: FakeReceiver, receiver: InventedReceiver): Promise<Guess> {
  const answer = await receiver.heard.next()
  const atMs = performance.now()
  if (typeOf(answer) !== payloadTypes.pake2) return { code: failureCodeOf(answer), atMs }
  receiver.send(fake.prove(answer))
  return { code: failureCodeOf(await receiver.heard.next()), atMs }
}

/** A share of one file whose transfer takes `seconds`. */
async function hostFor(seconds: number, bytesPerSecond: number) {
  const large = scene.at('large.bin')
  writeFileSync(large, bytesOf('large', seconds * bytesPerSecond))
  const sharing = await scene.hostOf(large, '--limit-up', String(bytesPerSecond))
  const receiving = scene.join(sharing.code)
  await receiving.program.line('accepted')
  return { ...sharing, receiving }
}

/** Endless guesses by fake receivers that all connect at once with wrong words. */
function attack({ line, code }: Awaited<ReturnType<typeof hostFor>>) {
  const wrong = wordsOf(code).split('-').reverse().join('-') + '-atom'
  const receivers: InventedReceiver[] = []
  const guesses = Array.from({ length: fakes }, () => {
    const fake = new FakeReceiver(nameplateOf(code), wrong)
    const receiver = line.invent(fake.opening)
    receivers.push(receiver)
    return guess(fake, receiver)
  })
  return { receivers, guesses }
}

const wrongOf = (count: number) => (line: Line) => Number(line['wrong']) >= count

describe('PAIR-11 a server with many receivers that guess at full speed', () => {
  it('is slowed down, and the admitted receiver gets everything', { tags: ['full'] }, async () => {
    const sharing = await hostFor(3, 2_000_000)
    const begunAtMs = performance.now()
    const { receivers, guesses } = attack(sharing)
    // The sender admits at most two more before it sees the fifth wrong proof.
    const slowed = 8
    const first = await firstOf(guesses, slowed)
    expect(first.map(({ code }) => code)).toEqual(Array(slowed).fill('E_CODE_MISMATCH'))
    // The sender waits a second before the eighth.
    expect(Math.max(...first.map(({ atMs }) => atMs)) - begunAtMs).toBeGreaterThan(900)
    expect(await sharing.program.lineWhere('guesses', wrongOf(5))).toMatchObject({
      locked: false,
    })
    for (const receiver of receivers) receiver.leave()
    expect((await sharing.receiving.program.ended).exitCode).toBe(0)
    scene.expectSame(sharing.receiving, 'large.bin')
  })

  it(
    'gets no additional guess by moving the share to other numbers',
    { tags: ['full'] },
    async () => {
      const { line: first, code: old, program } = await scene.host()
      scene.server.forgetsNameplates = true
      const codes = new Set([wordsOf(old)])
      let line = first
      let code = old
      for (let moves = 0; moves < 3; moves += 1) {
        for (let tries = 0; tries < 2; tries += 1) {
          const fake = new FakeReceiver(nameplateOf(code), 'apple-apple-apple')
          expect((await guess(fake, line.invent(fake.opening))).code).toBe('E_CODE_MISMATCH')
        }
        line.cut()
        line = await scene.server.senders.next()
        code = String((await program.lines('code', moves + 2)).at(-1)?.['code'])
        codes.add(wordsOf(code))
      }
      const counts = (await program.lines('guesses', 6)).map((one) => one['wrong'])
      expect(counts).toEqual([1, 2, 3, 4, 5, 6])
      expect(codes.size).toBe(4)
      scene.server.forgetsNameplates = false
      await scene.expectReceived(scene.join(code))
    },
  )

  it('gets no additional guess and blocks no one by reusing ids', async () => {
    const { line, code, program } = await scene.host()
    for (let count = 1; count <= 4; count += 1) {
      const fake = new FakeReceiver(nameplateOf(code), 'apple-apple-apple')
      const receiver = line.invent(fake.opening)
      const proof = fake.prove(await receiver.heard.next())
      receiver.send(proof)
      receiver.repeat(new FakeReceiver(nameplateOf(code), 'apple-apple-apple').opening)
      receiver.leave()
      await program.lineWhere('guesses', wrongOf(count))
    }
    await scene.expectReceived(scene.join(code))
  })

  it('blocks no one by incomplete runs', { tags: ['full'] }, async () => {
    const { line, code } = await scene.host()
    for (let count = 0; count < 5; count += 1) {
      line.invent(new FakeReceiver(nameplateOf(code), 'apple-apple-apple').opening)
      line.invent()
    }
    await scene.expectReceived(scene.join(code))
  })

  it('control: right words among the guesses are admitted', async () => {
    const { line, code } = await scene.host()
    const fake = new FakeReceiver(nameplateOf(code), wordsOf(code))
    const receiver = line.invent(fake.opening)
    receiver.send(fake.prove(await receiver.heard.next()))
    expect(fake.believes(await receiver.heard.next())).toBe(true)
  })

  it.runIf(isLong)(
    'PAIR-03 is locked out after 50 guesses, like all others except the admitted receiver',
    async () => {
      const sharing = await hostFor(1300, 16_000)
      const { guesses } = attack(sharing)
      await sharing.program.lineWhere('guesses', (line) => line['locked'] === true)
      const codes = (await Promise.all(guesses)).map(({ code }) => code)
      const count = (wanted: string) => codes.filter((code) => code === wanted).length
      expect(count('E_CODE_MISMATCH')).toBe(maxGuesses)
      expect(count('E_CODE_LOCKED') + count('E_RATE_LIMITED')).toBe(fakes - maxGuesses)
      const late = await scene.expectFailed(scene.join(sharing.code), 3, 'E_CODE_LOCKED')
      expect(late.stdout).toContain('This code was locked after 50 wrong attempts.')
      expect((await sharing.receiving.program.ended).exitCode).toBe(0)
      scene.expectSame(sharing.receiving, 'large.bin')
    },
    40 * 60_000,
  )
})

function firstOf<T>(promises: readonly Promise<T>[], count: number): Promise<readonly T[]> {
  const results: T[] = []
  return new Promise((resolve) => {
    for (const promise of promises) {
      void promise.then((value) => {
        if (results.push(value) === count) resolve([...results])
      })
    }
  })
}
