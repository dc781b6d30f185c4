import { beforeEach, describe, expect, it } from 'vitest'
import type { NewShare } from '#client/session/requests'
import { ShareCode } from '#client/session/share/share-code'
import { pairingDone } from '#client/testing/fake-engine'
import { ManualClock } from '#client/testing/manual-clock'
import { waitForState } from '#client/wait-for-state'
import { wordsOf } from '#shared/code/join-code'
import { oneFile } from '#shared/testing/figures'
import { accepted, type Line, met } from '../../engine-events'
import { rigWithServer, type Station } from '../../rig'
import { codeOf, items, openShare, shareOf } from '../../transfers'

const rig = rigWithServer()

const share = (options?: Partial<NewShare>) => openShare(rig.station(), options)

/** Receiver number `count` that tries to join, while the sender's fake engine does not react. */
async function tryToJoin(sender: Station, code: string, count = 1) {
  const receiver = rig.station()
  receiver.client.join(code)
  const { session, peer } = await sender.engine.nth('add-peer', count)
  return { receiver, session, peer }
}

/** Admits the receiver, which accepts. */
function letIn({ engine }: Station, line: Line): void {
  engine.emit(...met(line, 'Jonas', 'a'.repeat(32)), accepted(line))
}

function finish({ engine }: Station, { session, peer }: Line): void {
  engine.emit({ type: 'finished', session, peer, ...oneFile })
}

/** The error of a join with this code. */
async function endOfJoin(code: string) {
  const late = rig.station()
  late.client.join(code)
  return waitForState(late.client, ({ receives }) => receives[0]?.error?.code)
}

describe('wrong words', () => {
  it('are counted, and lock the code for new receivers only', async () => {
    const { sender, session, code } = await share()
    const line = await tryToJoin(sender, code)
    letIn(sender, line)
    sender.engine.emit({ type: 'guesses', session, wrong: 5, locked: false, spent: false })
    expect(shareOf(sender)?.guesses).toEqual({ wrong: 5, locked: false, spent: false })
    sender.engine.emit({ type: 'guesses', session, wrong: 50, locked: true, spent: false })
    expect(shareOf(sender)).toMatchObject({
      phase: 'open',
      guesses: { wrong: 50, locked: true, spent: false },
      receivers: [{ phase: 'receiving' }],
    })
  })

  it('are reset by a new code, and connected receivers stay', async () => {
    const { sender, share: id, session, code } = await share()
    letIn(sender, await tryToJoin(sender, code))
    await tryToJoin(sender, code, 2)
    sender.engine.emit({ type: 'guesses', session, wrong: 50, locked: true, spent: false })
    expect(sender.client.shares.get(id)?.renewCode().ok).toBe(true)
    expect(sender.engine.all('revoke-code')).toEqual([{ type: 'revoke-code', session }])
    expect(shareOf(sender)).toMatchObject({ code: null, guesses: { wrong: 50, locked: true } })
    sender.engine.emit({ type: 'guesses', session, wrong: 0, locked: false, spent: false })
    expect(shareOf(sender)?.guesses).toEqual({ wrong: 0, locked: false, spent: false })
    const fresh = await codeOf(sender, code)
    expect(wordsOf(fresh)).not.toBe(wordsOf(code))
    expect(sender.engine.all('set-code').map((command) => command.code)).toEqual([code, fresh])
    expect(shareOf(sender)?.receivers).toMatchObject([{ phase: 'receiving' }])
    // The receiver that was still pairing was dropped.
    expect(sender.engine.all('disconnect-peer')).toHaveLength(1)
    expect(await endOfJoin(code)).toBe('E_NO_SUCH_CODE')
    expect((await tryToJoin(sender, fresh, 3)).session).toBe(session)
  })

  it('do not cause a new code before there is one, or after the end', async () => {
    const { sender, share: id } = await share()
    sender.client.shares.get(id)?.stop()
    expect(sender.client.shares.has(id)).toBe(false)
    await rig.stopServer()
    const opening = rig.station()
    const opened = opening.client.openShare({ items })
    if (!opened.ok) throw new Error(opened.error.code)
    const early = opening.client.shares.get(opened.value)?.renewCode()
    expect(early).toMatchObject({ error: { code: 'E_BAD_ARGUMENT' } })
  })

  it('are rejected if they repeat the last code or are invalid', async () => {
    const { sender, share: id, code } = await share({ words: 'apple-kayak-onion' })
    for (const words of ['apple-kayak-onion', 'Apple kayak', 'zzz-kayak-onion', 'app-kay-oni']) {
      expect(sender.client.shares.get(id)?.renewCode(words), words).toMatchObject({
        error: { code: 'E_BAD_ARGUMENT' },
      })
    }
    expect(sender.engine.all('revoke-code')).toEqual([])
    expect(shareOf(sender)?.code).toBe(code)
  })

  it('do not end a share whose server is lost while it gets a new code', async () => {
    const { sender, share: id, code } = await share()
    letIn(sender, await tryToJoin(sender, code))
    await rig.stopServer()
    await sender.clock.untilDelay(1000)
    sender.client.shares.get(id)?.renewCode()
    await sender.clock.untilDelay(1000)
    sender.clock.advance(120_000)
    expect(shareOf(sender)).toMatchObject({ phase: 'opening', receivers: [{}] })
  })
})

describe('words that a person chose', () => {
  it('make the code of a share, and the next one', async () => {
    const { sender, share: id, code } = await share({ words: 'apple-kayak-onion' })
    expect(wordsOf(code)).toBe('apple-kayak-onion')
    expect(sender.client.shares.get(id)?.renewCode('onion-apple-kayak').ok).toBe(true)
    const fresh = await codeOf(sender, code)
    expect(wordsOf(fresh)).toBe('onion-apple-kayak')
    await tryToJoin(sender, fresh)
  })

  it('are replaced when the server assigns another nameplate', () => {
    const code = new ShareCode({
      clock: new ManualClock(),
      newWords: () => 'drawn-kayak-onion',
      lifeMs: 1000,
      onExpired: () => undefined,
      words: 'apple-kayak-onion',
    })
    expect(code.at('4821').text).toBe('4821-apple-kayak-onion')
    expect(code.at('4821')).toEqual({ text: '4821-apple-kayak-onion', isNew: false })
    expect(code.at('9034')).toEqual({ text: '9034-drawn-kayak-onion', isNew: true })
    code.stop()
  })

  it.each([
    ['two', 'apple-kayak'],
    ['one that is in no code', 'aple-kayak-onion'],
    ['three times the same', 'apple-apple-apple'],
    ['not in their normal form', 'Apple Kayak Onion'],
    ['far too long', 'a'.repeat(1_000_000)],
  ])('are refused: %s', (_what, words) => {
    expect(rig.station().client.openShare({ items, words })).toMatchObject({
      error: { code: 'E_BAD_ARGUMENT' },
    })
  })
})

describe('a code for one receiver', () => {
  it('admits no receiver after the first, which may return', async () => {
    const { sender, session, code } = await share({ oneReceiver: true })
    const first = await tryToJoin(sender, code)
    const second = await tryToJoin(sender, code, 2)
    letIn(sender, first)
    expect(shareOf(sender)?.codeEnd).toBe('one-receiver')
    expect(sender.engine.all('set-max-receivers')).toMatchObject([{ session, count: 0 }])
    // The second receiver was about to prove itself.
    expect(sender.engine.all('disconnect-peer')).toMatchObject([{ peer: second.peer }])
    const error = { code: 'E_PEER_GONE', detail: '' }
    sender.engine.emit({ type: 'failed', session, peer: first.peer, error })
    // The nameplate is kept for its return.
    await tryToJoin(sender, code, 3)
  })

  it('releases its nameplate once that receiver has everything', async () => {
    const { sender, code } = await share({ oneReceiver: true })
    const line = await tryToJoin(sender, code)
    letIn(sender, line)
    finish(sender, line)
    expect(await endOfJoin(code)).toBe('E_NO_SUCH_CODE')
    expect(shareOf(sender)).toMatchObject({ phase: 'open', receivers: [{ phase: 'done' }] })
  })

  it('is replaced on demand', async () => {
    const { sender, share: id, session, code } = await share({ oneReceiver: true })
    const line = await tryToJoin(sender, code)
    letIn(sender, line)
    finish(sender, line)
    expect(sender.client.shares.get(id)?.setMaxReceivers(3).ok).toBe(true)
    expect(sender.client.shares.get(id)?.renewCode().ok).toBe(true)
    expect(shareOf(sender)?.codeEnd).toBeNull()
    expect(sender.engine.all('set-max-receivers')).toMatchObject([{ count: 0 }, { count: 3 }])
    const fresh = await codeOf(sender, code)
    letIn(sender, await tryToJoin(sender, fresh, 2))
    expect(shareOf(sender)?.codeEnd).toBe('one-receiver')
    expect(session).toBeGreaterThan(0)
  })
})

describe('rules that change while a share runs', () => {
  it('admit one receiver only', async () => {
    const { sender, share: id, code } = await share()
    expect(sender.client.shares.get(id)?.changeCode({ oneReceiver: true }).ok).toBe(true)
    expect(shareOf(sender)).toMatchObject({ oneReceiver: true, codeEnd: null })
    expect(sender.engine.all('set-max-receivers')).toMatchObject([{ count: 1 }])
    letIn(sender, await tryToJoin(sender, code))
    expect(shareOf(sender)?.codeEnd).toBe('one-receiver')
    expect(sender.engine.all('set-max-receivers')).toMatchObject([{ count: 1 }, { count: 0 }])
  })

  it('end the code immediately when a receiver is already admitted', async () => {
    const { sender, share: id, code } = await share()
    letIn(sender, await tryToJoin(sender, code))
    expect(sender.client.shares.get(id)?.changeCode({ oneReceiver: true }).ok).toBe(true)
    expect(shareOf(sender)?.codeEnd).toBe('one-receiver')
    expect(sender.client.shares.get(id)?.changeCode({ oneReceiver: false })).toMatchObject({
      ok: false,
    })
  })

  it('admit further receivers after a start with one', async () => {
    const { sender, share: id, code } = await share({ oneReceiver: true })
    expect(shareOf(sender)?.oneReceiver).toBe(true)
    expect(sender.client.shares.get(id)?.changeCode({ oneReceiver: false }).ok).toBe(true)
    letIn(sender, await tryToJoin(sender, code))
    expect(shareOf(sender)?.codeEnd).toBeNull()
    // The engine has closed the share after its first receiver.
    expect(sender.engine.all('set-max-receivers')).toMatchObject([{ count: 10 }, { count: 10 }])
  })

  it('give the code a new lifetime', async () => {
    const { sender, share: id } = await share()
    sender.clock.advance(5000)
    expect(sender.client.shares.get(id)?.changeCode({ codeLifeMs: 20_000 }).ok).toBe(true)
    expect(shareOf(sender)?.codeEndsAtMs).toBe(sender.clock.now() + 20_000)
    sender.clock.advance(20_000)
    expect(shareOf(sender)?.codeEnd).toBe('expired')
  })
})

/** Short enough that no socket is pinged meanwhile. */
const codeLifeMs = 20_000

describe('the life of a code', () => {
  it('is reported, and its end stops admission', async () => {
    const { sender, code } = await share({ codeLifeMs })
    expect(shareOf(sender)?.codeEndsAtMs).toBe(sender.clock.now() + codeLifeMs)
    const line = await tryToJoin(sender, code)
    letIn(sender, line)
    sender.clock.advance(codeLifeMs)
    expect(shareOf(sender)).toMatchObject({
      phase: 'open',
      codeEnd: 'expired',
      receivers: [{ phase: 'receiving' }],
    })
    expect(sender.engine.all('set-max-receivers')).toMatchObject([{ count: 0 }])
    finish(sender, line)
    expect(await endOfJoin(code)).toBe('E_NO_SUCH_CODE')
  })

  it('has ended after a sleep that no timer counted', async () => {
    const { sender, code } = await share({ codeLifeMs })
    sender.clock.setBack(-codeLifeMs)
    expect(shareOf(sender)?.codeEnd).toBeNull()
    sender.client.onWake()
    sender.clock.advance(0)
    expect(shareOf(sender)?.codeEnd).toBe('expired')
    expect(sender.engine.all('set-max-receivers')).toMatchObject([{ count: 0 }])
    expect(await endOfJoin(code)).toBe('E_NO_SUCH_CODE')
  })

  it('is 24 h by default, and does not restart when the server returns', async () => {
    const { sender, code } = await share()
    const endsAtMs = sender.clock.now() + 24 * 3_600_000
    expect(shareOf(sender)?.codeEndsAtMs).toBe(endsAtMs)
    await rig.stopServer()
    await sender.clock.untilDelay(1000)
    await rig.startServer()
    sender.clock.advance(1000)
    expect(await codeOf(sender)).toBe(code)
    expect(shareOf(sender)?.codeEndsAtMs).toBe(endsAtMs)
  })
})

describe('relays of the server', () => {
  beforeEach(async () => {
    await rig.stopServer()
    await rig.startServer({
      turnUrls: ['turn:127.0.0.1:3478'],
      turnSecret: 'a secret of the server',
    })
  })

  it.each([
    ['the server itself', '', '/v1/server-relay'],
    ['one node of it', 'node-1', '/v1/server-relay/node-1'],
  ])('can be %s, which is named with them', async (_, nodeName, path) => {
    await rig.stopServer()
    await rig.startServer({ serverRelays: 1, nodeName })
    const { sender, session, code } = await share()
    const line = await tryToJoin(sender, code)
    sender.engine.emit(pairingDone(session, line.peer))
    const serverRelay = { host: '127.0.0.1', transport: 'ws', path }
    const tickets: string[] = []
    for (const { engine } of [sender, line.receiver]) {
      const { turn } = await engine.nth('add-relays')
      expect(turn).toMatchObject([serverRelay])
      tickets.push(turn[0]?.password ?? '')
    }
    expect(new Set(tickets).size).toBe(2)
  })

  it('are passed to both sides, but only once the receiver has proved itself', async () => {
    const { sender, session, code } = await share()
    const line = await tryToJoin(sender, code)
    const opened = await line.receiver.engine.nth('open-receive')
    expect(sender.engine.all('add-relays')).toEqual([])
    sender.engine.emit(pairingDone(session, line.peer))
    const relay = { host: '127.0.0.1', port: 3478, transport: 'udp' }
    expect(await sender.engine.nth('add-relays')).toMatchObject({
      ...{ session, peer: line.peer, turn: [relay] },
    })
    expect(await line.receiver.engine.nth('add-relays')).toMatchObject({
      ...{ session: opened.session, peer: opened.peer, turn: [relay] },
    })
  })
})
