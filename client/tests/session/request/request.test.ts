import { describe, expect, it } from 'vitest'
import type { NewRequest } from '#client/session/requests'
import { fakeOpening, fakeWords, pairingDone } from '#client/testing/fake-engine'
import { waitForState } from '#client/wait-for-state'
import { nameplateOf } from '#shared/code/join-code'
import { accepted, failed, folderOffered, greeted, type Line, met } from '../../engine-events'
import { folderWithFile, rigWithServer, type Station } from '../../rig'
import { items, openShare, receiveIn, receiveOf, shareOf } from '../../transfers'

const folder = folderWithFile()
const rig = rigWithServer()

/** The first message of a receiver: version 2, type 1. */
const pake1 = Buffer.from([2, 1, ...Array<number>(16).fill(7)]).toString('base64url')

async function request(options: NewRequest = {}) {
  const requester = rig.station()
  const opened = requester.client.request(options)
  if (!opened.ok) throw new Error(opened.error.code)
  const code = await waitForState(requester.client, ({ shares }) => shares[0]?.code)
  return { requester, code, id: opened.value }
}

/** A station that sends to the code; `line`: the requester's session with it. */
async function answer(requester: Station, code: string, count = 1) {
  const sender = rig.station({ name: 'Jonas' })
  const opened = sender.client.answer(code, { items })
  if (!opened.ok) throw new Error(opened.error.code)
  const { session, peer } = await requester.engine.nth('open-receive', count)
  return { sender, line: { session, peer } }
}

const shareError = ({ client }: Station) => waitForState(client, ({ shares }) => shares[0]?.error)

/** The requester's engine sends its proof, which is its second message. */
const showProof = ({ engine }: Station, { session, peer }: Line): void =>
  engine.emit({ type: 'signal', session, peer, payload: 'cGFrZTM' })

/** The sender is connected, and its offer is accepted. */
function accept(requester: Station, line: Line): void {
  requester.engine.emit(...met(line, 'Jonas'), folderOffered(line))
  const [receive] = [...requester.client.receives.values()]
  expect(receive?.accept({ directory: folder }).ok).toBe(true)
  requester.engine.emit(accepted(line))
}

describe('a request', () => {
  it('pairs with a sender as its receiver, under the words of its code', async () => {
    const { requester, code } = await request()
    const { sender, line } = await answer(requester, code)
    expect(requester.engine.all('open-receive')).toMatchObject([
      {
        nameplate: nameplateOf(code),
        secret: { kind: 'words', words: fakeWords },
        prefetch: false,
      },
    ])
    const joining = await sender.engine.nth('add-peer')
    expect(await sender.engine.nth('set-code')).toMatchObject({ code })
    expect(await sender.engine.nth('signal')).toMatchObject({
      peer: joining.peer,
      payload: fakeOpening,
    })
    sender.engine.emit({ ...joining, type: 'signal', payload: 'cGFrZTI' })
    expect(await requester.engine.nth('signal')).toMatchObject({ ...line, payload: 'cGFrZTI' })
  })

  it('shows nothing before the sender has proved itself, and then a receive of its own', async () => {
    const { requester, code, id } = await request()
    const { line } = await answer(requester, code)
    showProof(requester, line)
    expect(receiveOf(requester)).toBeUndefined()
    requester.engine.emit(...met(line, 'Jonas'), folderOffered(line))
    expect(receiveOf(requester)).toMatchObject({ phase: 'offered', from: 'Jonas', request: id })
    expect(shareOf(requester)?.guesses.wrong).toBe(0)
  })

  it('counts a guess when its proof is not answered by a right one', async () => {
    const { requester, code } = await request()
    const { line } = await answer(requester, code)
    requester.engine.emit(failed(line, 'E_PEER_GONE'))
    expect(shareOf(requester)?.guesses.wrong).toBe(0)
    const { line: second } = await answer(requester, code, 2)
    showProof(requester, second)
    requester.engine.emit(failed(second, 'E_CODE_MISMATCH'))
    expect(shareOf(requester)?.guesses.wrong).toBe(1)
    expect(receiveOf(requester)).toBeUndefined()
    // The time limit of a proof would delay the end of the program.
    expect(requester.clock.delays).not.toContain(15_000)
  })

  it('answers a receiver that the code requests files', async () => {
    const { code } = await request()
    const receiver = rig.station()
    receiver.engine.opening = pake1
    receiver.client.join(code)
    const { payload } = await receiver.engine.nth('signal')
    const bytes = Buffer.from(payload, 'base64url')
    expect([...bytes.subarray(0, 18)]).toEqual([2, 6, ...Array<number>(16).fill(7)])
    expect(bytes.subarray(18).toString()).toBe('E_CODE_REQUESTS')
  })

  it('admits a second sender only if it is for several', async () => {
    const { requester, code } = await request({ oneReceiver: true })
    const { line } = await answer(requester, code)
    accept(requester, line)
    const late = rig.station()
    late.client.answer(code, { items })
    expect(await shareError(late)).toMatchObject({ code: 'E_TOO_MANY_RECEIVERS' })
  })

  it('accepts one of several offers that are there at once', async () => {
    const { requester, code } = await request({ oneReceiver: true })
    const { line: first } = await answer(requester, code)
    requester.engine.emit(...met(first, 'Jonas'), folderOffered(first))
    const { line: second } = await answer(requester, code, 2)
    requester.engine.emit(...met(second, 'Lea'), folderOffered(second))
    const { line: third } = await answer(requester, code, 3)
    // This sender has no offer yet.
    requester.engine.emit(...met(third, 'Nils'))
    const [one, other] = [...requester.client.receives.values()]
    expect(one?.accept({ directory: folder }).ok).toBe(true)
    expect(other?.accept({ directory: folder }).ok).toBe(false)
    expect(requester.engine.all('accept')).toMatchObject([{ session: first.session }])
    expect(requester.engine.all('refuse')).toMatchObject([
      { session: second.session, why: 'E_TOO_MANY_RECEIVERS' },
    ])
    requester.engine.emit(accepted(first), folderOffered(third))
    const { receives } = requester.client.snapshot().state
    // The latest is first.
    expect(receives.map(({ phase, error }) => [phase, error?.code])).toEqual([
      ['failed', 'E_TOO_MANY_RECEIVERS'],
      ['failed', 'E_TOO_MANY_RECEIVERS'],
      ['receiving', undefined],
    ])
  })

  it('accepts one offer after its code has expired, too', async () => {
    const { requester, code } = await request({ oneReceiver: true, codeLifeMs: 60_000 })
    const { line: first } = await answer(requester, code)
    requester.engine.emit(...met(first, 'Jonas'), folderOffered(first))
    const { line: second } = await answer(requester, code, 2)
    requester.engine.emit(...met(second, 'Lea'), folderOffered(second))
    requester.clock.advance(60_000)
    expect(shareOf(requester)?.codeEnd).toBe('expired')
    const [one, other] = [...requester.client.receives.values()]
    expect(one?.accept({ directory: folder }).ok).toBe(true)
    expect(other?.accept({ directory: folder }).ok).toBe(false)
  })

  it('accepts several offers if it is for several', async () => {
    const { requester, code } = await request()
    const { line: first } = await answer(requester, code)
    requester.engine.emit(...met(first, 'Jonas'), folderOffered(first))
    const { line: second } = await answer(requester, code, 2)
    requester.engine.emit(...met(second, 'Lea'), folderOffered(second))
    for (const one of [...requester.client.receives.values()])
      expect(one.accept({ directory: folder }).ok).toBe(true)
    expect(requester.engine.all('refuse')).toEqual([])
  })

  it('continues with a lost sender that comes back, without a question', async () => {
    const { requester, code } = await request()
    const { sender, line } = await answer(requester, code)
    const there = await sender.engine.nth('add-peer')
    sender.engine.emit(...met(there))
    accept(requester, line)
    requester.engine.emit(failed(line, 'E_PEER_GONE'))
    expect(receiveOf(requester)?.phase).toBe('reconnecting')
    sender.engine.emit(failed(there, 'E_PEER_GONE'))
    await sender.clock.untilDelay(1000)
    sender.clock.advance(1000)
    const again = await requester.engine.nth('open-receive', 2)
    const [first] = requester.engine.all('open-receive')
    expect(again.receiveId).toBe(first?.receiveId)
    requester.engine.emit(...met(again, 'Jonas'), folderOffered(again))
    expect(await requester.engine.nth('accept', 2)).toMatchObject({ session: again.session })
    requester.engine.emit(accepted(again))
    expect(await receiveIn(requester, 'receiving')).toMatchObject({ from: 'Jonas' })
    expect(requester.client.snapshot().state.receives).toHaveLength(1)
  })

  it('accepts nothing from a sender that comes back with another share', async () => {
    const { requester, code } = await request()
    const { sender, line } = await answer(requester, code)
    const there = await sender.engine.nth('add-peer')
    sender.engine.emit(...met(there))
    accept(requester, line)
    requester.engine.emit(failed(line, 'E_PEER_GONE'))
    sender.engine.emit(failed(there, 'E_PEER_GONE'))
    await sender.clock.untilDelay(1000)
    sender.clock.advance(1000)
    const again = await requester.engine.nth('open-receive', 2)
    requester.engine.emit(
      pairingDone(again.session, again.peer),
      ...greeted(again, 'Jonas', 'e'.repeat(32)),
    )
    expect(receiveOf(requester)).toMatchObject({
      phase: 'failed',
      error: { code: 'E_PEER_PROTOCOL' },
    })
    expect(requester.engine.all('accept')).toHaveLength(1)
  })

  it('leaves its receives alone when it stops', async () => {
    const { requester, code, id } = await request()
    const { line } = await answer(requester, code)
    accept(requester, line)
    expect(requester.client.requests.get(id)?.stop().ok).toBe(true)
    expect(shareOf(requester)?.phase).toBe('stopped')
    expect(receiveOf(requester)?.phase).toBe('receiving')
  })
})

describe('someone who sends to a code', () => {
  it('learns that the code shares files', async () => {
    const { sender: sharer, code } = await openShare(rig.station())
    const sender = rig.station()
    sender.client.answer(code, { items })
    expect(await shareError(sender)).toMatchObject({ code: 'E_CODE_SHARES' })
    expect(sharer.engine.all('add-peer')).toEqual([])
  })

  it('learns that the words are wrong', async () => {
    const { requester, code } = await request()
    const { sender } = await answer(requester, code)
    const { session, peer } = await sender.engine.nth('add-peer')
    sender.engine.emit(failed({ session, peer }, 'E_CODE_MISMATCH'))
    expect(await shareError(sender)).toMatchObject({ code: 'E_CODE_MISMATCH' })
  })

  it('learns that no one has the number', async () => {
    const sender = rig.station()
    sender.client.answer(`9999-${fakeWords}`, { items })
    expect(await shareError(sender)).toMatchObject({ code: 'E_NO_SUCH_CODE' })
  })
})
