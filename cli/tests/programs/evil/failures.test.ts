/** Messages and exit codes when pairing fails. */
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '#client/client'
import { loadEngine } from '#client/native-engine'
import { waitForState } from '#client/wait-for-state'
import { makeJoinCode, nameplateOf, wordsOf } from '#shared/code/join-code'
import { Thru } from '../thru'
import { hashTree } from '../tree'
import { type Attack, EvilServer, honest } from './evil-server'
import { failureOf, flipped, offsets, payloadTypes, replaced, typeOf } from './payloads'
import { Scene, type Sharing } from './scene'

let scene: Scene
let sharing: Sharing
beforeAll(async () => {
  scene = await Scene.start()
  sharing = await scene.host()
})
afterAll(() => scene.end())

/** Replaces a word of the code by another valid one. */
const withWrongWords = (code: string): string => {
  const [first = '', ...others] = wordsOf(code).split('-')
  return makeJoinCode(nameplateOf(code), [first === 'acid' ? 'acorn' : 'acid', ...others].join('-'))
}

/** Runs `thru join` in words; returns its output and exit code. */
async function joinAsPerson(code: string, attack: Attack = honest) {
  scene.server.attack = attack
  const joins = scene.server.joins
  const { exitCode, stderr } = await scene.thru([
    'join',
    code,
    '--yes',
    '--out',
    scene.at('person'),
  ]).ended
  return { exitCode, stderr, joins: scene.server.joins - joins }
}

const refusing =
  (code: string): Attack =>
  ({ from, body, line }) => {
    if (from === 'receiver') void line.joined.then(() => line.toReceiver(failureOf(body, code)))
    return []
  }

const changing =
  (type: number, change: (body: string) => string): Attack =>
  ({ body }) => [typeOf(body) === type ? change(body) : body]

describe('the failures of a pairing, as people see them', () => {
  it('a malformed code', async () => {
    expect(await joinAsPerson('4821-aple-kayak-onion')).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining('"aple" isn\'t a join-code word.') as string,
      joins: 0,
    })
  })

  it('an unused number', async () => {
    const other = nameplateOf(sharing.code) === '1000' ? '1001' : '1000'
    expect(await joinAsPerson(makeJoinCode(other, wordsOf(sharing.code)))).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining('No open code has this number.') as string,
      joins: 1,
    })
  })

  it('wrong words, which the sender counts', async () => {
    expect(await joinAsPerson(withWrongWords(sharing.code))).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining("The code's words don't match.") as string,
      joins: 1,
    })
    expect(await sharing.program.line('guesses')).toMatchObject({ wrong: 1, locked: false })
  })

  it.each<readonly [string, Attack, number, string, number]>([
    ['a locked code', refusing('E_CODE_LOCKED'), 3, 'Ask the other side for a new code.', 1],
    ['a full share', refusing('E_TOO_MANY_RECEIVERS'), 6, 'Try again when someone has finished', 1],
    [
      'another version',
      changing(payloadTypes.pake1, (body) => replaced(body, offsets.version, Buffer.of(3))),
      6,
      'Install the newest version of Thruflux on both computers.',
      1,
    ],
    [
      'a sender that can not be verified',
      changing(payloadTypes.pake4, (body) => flipped(body, offsets.tag)),
      10,
      "The other side couldn't be verified: someone may be interfering.",
      1,
    ],
    [
      'altered messages between two sides that know each other',
      ({ from, body }) => {
        if (typeOf(body) !== payloadTypes.sealed) return [body]
        return from === 'sender' ? [flipped(body, offsets.sealedBox)] : []
      },
      10,
      'A message was altered on its way through the server.',
      2,
    ],
    ['a failure that is none', refusing('E_DISK_FULL'), 6, 'an unexpected message', 1],
  ])('%s', async (_what, attack, exitCode, text, joins) => {
    expect(await joinAsPerson(sharing.code, attack)).toEqual({
      exitCode,
      stderr: expect.stringContaining(text) as string,
      joins,
    })
  })

  it('nothing, if the altered message is followed by a run that is not', async () => {
    const alter = changing(payloadTypes.sealed, (body) => flipped(body, offsets.sealedBox))
    let first: unknown = null
    const attack: Attack = (passing) => {
      first ??= passing.line
      return passing.line === first ? alter(passing) : honest(passing)
    }
    expect(await joinAsPerson(sharing.code, attack)).toMatchObject({ exitCode: 0 })
  })

  it('nothing, if messages are only delayed or separated from their join', async () => {
    const delay: Attack = ({ from, body, line }) => {
      // Delayed, but in the same order.
      void line.joined.then(() => {
        if (from === 'receiver') line.toSender(body)
        else line.toReceiver(body)
      })
      return []
    }
    expect(await joinAsPerson(sharing.code, delay)).toMatchObject({ exitCode: 0 })
  })

  it('an unreachable server is tried again, and found once it starts', async () => {
    const place = createServer()
    await new Promise<void>((resolve) => place.listen(0, '127.0.0.1', resolve))
    const { port } = place.address() as AddressInfo
    await new Promise((resolve) => place.close(resolve))
    const url = `ws://127.0.0.1:${port}`
    const args = ['--json', '--server-url', url]
    const sender = new Thru(['host', scene.at('src', 'harvest'), ...args])
    await sender.lineWhere('server', ({ phase }) => phase === 'unreachable')
    const server = await EvilServer.start(port)
    try {
      const code = String((await sender.line('code'))['code'])
      const out = scene.at('late')
      const receiver = new Thru(['join', code, '--yes', '--out', out, ...args])
      expect((await receiver.ended).exitCode).toBe(0)
      expect(hashTree(out)).toEqual(hashTree(scene.at('src')))
    } finally {
      await sender.stop()
      await server.close()
    }
  })

  it('a server that never starts', { tags: ['full'] }, async () => {
    // Port 9 (discard) can't get a listener by chance.
    const args = ['join', sharing.code, '--yes', '--server-url', 'ws://127.0.0.1:9']
    const { exitCode, stderr } = await new Thru(args).ended
    expect(exitCode).toBe(4)
    expect(stderr).toContain(
      '"127.0.0.1:9" refuses the connection: no Thruflux server runs there. Check your network, the address (--server-url, THRU_SERVER_URL or the settings), and that the server is running.',
    )
  })

  it('control: an honest server causes no failure', async () => {
    const { exitCode, stderr } = await joinAsPerson(sharing.code)
    expect(exitCode, stderr).toBe(0)
  })
})

it("CODE-05 a client's own code is refused before anything is sent", async () => {
  const addon = fileURLToPath(new URL('../../../../out/native/thruflux.node', import.meta.url))
  const engine = loadEngine({ path: process.env['THRU_ADDON'] ?? addon })
  if (!engine.ok) throw new Error(engine.error.detail)
  const made = createClient({
    engine: engine.value,
    downloads: scene.at('own'),
    serverUrl: scene.server.url,
    stateDir: scene.at('own state'),
  })
  if (!made.ok) throw new Error(made.error.detail)
  const client = made.value
  try {
    client.openShare({ items: [{ kind: 'path', path: scene.at('src') }] })
    const code = await waitForState(client, ({ shares }) => shares[0]?.code)
    const joins = scene.server.joins
    expect(client.join(code)).toMatchObject({ ok: false, error: { code: 'E_OWN_CODE' } })
    // The code of another client is accepted.
    expect(client.join(sharing.code).ok).toBe(true)
    await waitForState(client, ({ receives }) => (receives[0]?.phase === 'offered' ? true : null))
    expect(scene.server.joins - joins).toBe(1)
  } finally {
    await client.close()
  }
})

describe('CODE-06 the code of a share that admits no one', () => {
  it('because it was stopped', async () => {
    const { program, code } = await scene.host()
    await program.stop()
    const { exitCode, stderr } = await joinAsPerson(code)
    expect(exitCode).toBe(3)
    expect(stderr).toContain('No open code has this number.')
  })

  it('because its only receiver has joined', async () => {
    const { program, code } = await scene.host('--once')
    expect((await joinAsPerson(code)).exitCode).toBe(0)
    expect((await program.ended).exitCode).toBe(0)
    expect((await joinAsPerson(code)).exitCode).toBe(3)
  })
})
