/** Calls between clients over a real embedded server, on a network in memory. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClientOptions } from '#client/client-options'
import { SettingsInMemory } from '#client/settings/settings-store'
import { waitForState } from '#client/wait-for-state'
import type { Visibility } from '#shared/settings/visibility'
import type { NearbyCall, NearbyId } from '#shared/state/nearby'
import { contactId, ContactRig, type PersonOptions } from '../contact-rig'
import { Hall } from '../near-rig'
import type { Station } from '../rig'
import { shareOf } from '../transfers'

let rig: ContactRig
let hall: Hall
beforeEach(async () => {
  rig = new ContactRig()
  await rig.startServer()
  hall = new Hall(rig.url)
})
afterEach(() => rig.end())

const nearbyOptions = (): Partial<ClientOptions> => ({
  ...{ serverUrl: null, localPort: Number(new URL(rig.url).port), reachable: false },
  ...{ localNetwork: hall.network(), visibleOnNetwork: true },
  // Each computer asks for another nameplate.
  random: Math.random,
})

/** A computer that receives and lists the others. */
function computer(name: string, more: PersonOptions = {}): Station {
  const station = rig.person(name, { ...nearbyOptions(), receivesNearby: 'everyone', ...more })
  station.client.nearby.browse(true)
  return station
}

const withVisibility = async (visible: Visibility) => {
  const settings = new SettingsInMemory()
  await settings.change({ network: { visible } })
  return settings
}

const listed = ({ client }: Station, name: string) =>
  waitForState(client, ({ nearby }) => nearby.find((one) => one.name === name))

const question = ({ client }: Station) =>
  waitForState(client, ({ nearbyQuestions }) => nearbyQuestions.at(-1))

const noQuestion = ({ client }: Station) =>
  waitForState(client, ({ nearbyQuestions }) => (nearbyQuestions.length === 0 ? true : null))

const inPhase = ({ client }: Station, phase: NearbyCall['phase']) =>
  waitForState(client, ({ shares }) => shares[0]?.calls?.find((call) => call.phase === phase))

function sendTo({ client }: Station, ...nearby: readonly NearbyId[]) {
  const share = client.send({ items: [{ kind: 'path', path: rig.file }], nearby })
  if (!share.ok) throw new Error(share.error.detail)
  return share.value
}

/** Mina asks Jonas, whose computer shows the question. */
async function asked() {
  const jonas = computer('Jonas')
  const mina = computer('Mina')
  const { id } = await listed(mina, 'Jonas')
  const share = sendTo(mina, id)
  const open = await question(jonas)
  return { mina, jonas, id, share, open, call: await inPhase(mina, 'asked') }
}

describe('a nearby computer', () => {
  it('is asked, and receives by words that nobody sees once both people agree', async () => {
    const { mina, jonas, id, share, open, call } = await asked()
    expect(open).toMatchObject({ name: 'Mina', summary: 'video.mp4', phase: 'asking' })
    expect(open.safety).toMatch(/^\d{6}$/)
    expect(call.safety).toBe(open.safety)
    expect(jonas.client.nearby.answer(open.id, true).ok).toBe(true)
    await inPhase(mina, 'accepted')
    expect(jonas.engine.all('open-receive')).toEqual([])
    expect(mina.client.shares.get(share)?.compare(id, true).ok).toBe(true)
    const { nameplate, secret } = await jonas.engine.nth('open-receive')
    const { code } = await mina.engine.nth('set-code')
    expect(code).toBe(`${nameplate}-${secret.kind === 'words' ? secret.words : ''}`)
    await inPhase(mina, 'joining')
    await noQuestion(jonas)
    expect(jonas.client.snapshot().state.receives).toMatchObject([
      { nearby: open.safety, code: nameplate },
    ])
    expect(JSON.stringify(mina.client.snapshot())).not.toContain(code)
  })

  it('receives after a confirmation that came before its answer', async () => {
    const { mina, jonas, id, share, open } = await asked()
    mina.client.shares.get(share)?.compare(id, true)
    await inPhase(mina, 'confirmed')
    jonas.client.nearby.answer(open.id, true)
    await jonas.engine.nth('open-receive')
  })

  it('may decline, which ends the share', async () => {
    const { mina, jonas, open } = await asked()
    jonas.client.nearby.answer(open.id, false)
    await inPhase(mina, 'declined')
    await noQuestion(jonas)
    await waitForState(mina.client, ({ shares }) => shares[0]?.codeEnd === 'everyone' || null)
    expect(jonas.client.nearby.answer(open.id, true).ok).toBe(false)
  })

  it('gets nothing if the numbers differ', async () => {
    const { mina, jonas, id, share, open } = await asked()
    jonas.client.nearby.answer(open.id, true)
    await inPhase(mina, 'accepted')
    mina.client.shares.get(share)?.compare(id, false)
    await inPhase(mina, 'differs')
    await noQuestion(jonas)
    expect(jonas.engine.all('open-receive')).toEqual([])
  })

  it('is no longer asked when the share ends', async () => {
    const { mina, jonas, share } = await asked()
    mina.client.shares.get(share)?.stop()
    await noQuestion(jonas)
  })

  it('leaves the list when its program ends, or hides', async () => {
    const jonas = computer('Jonas')
    const mina = computer('Mina')
    const { id } = await listed(mina, 'Jonas')
    await jonas.client.changeSettings({ network: { visible: 'off' } })
    await waitForState(mina.client, ({ nearby }) => (nearby.length === 0 ? true : null))
    const items = [{ kind: 'path', path: rig.file }] as const
    expect(mina.client.send({ items, nearby: [id] })).toMatchObject({
      error: { code: 'E_BAD_ARGUMENT' },
    })
    expect(shareOf(mina)?.phase).toBe('stopped')
    await jonas.client.changeSettings({ network: { visible: 'everyone' } })
    await listed(mina, 'Jonas')
  })

  it('shows only a few questions in a minute', async () => {
    const { mina, jonas, id } = await asked()
    for (let more = 0; more < 5; more += 1) sendTo(mina, id)
    const { shares } = await waitForState(mina.client, (state) =>
      state.shares.every(({ calls = [] }) => calls.some(({ phase }) => phase !== 'calling'))
        ? state
        : null,
    )
    const phases = shares.flatMap(({ calls = [] }) => calls.map(({ phase }) => phase)).sort()
    expect(phases).toEqual(['asked', 'asked', 'asked', 'asked', 'busy', 'busy'])
    expect(jonas.client.snapshot().state.nearbyQuestions).toHaveLength(4)
  })

  it('that no longer takes calls refuses at once', async () => {
    const settings = await withVisibility('everyone')
    computer('Jonas', { settings })
    const mina = computer('Mina')
    const { id } = await listed(mina, 'Jonas')
    sendTo(mina, id)
    // The call needs a socket, so this comes first.
    await settings.change({ network: { visible: 'contacts' } })
    await inPhase(mina, 'refused')
  })

  it('that does not answer at all is given up', async () => {
    const mina = computer('Mina')
    hall.announce('0123456789abcdef', { d: '999999', n: 'Ghost', c: '' })
    const { id } = await listed(mina, 'Ghost')
    sendTo(mina, id)
    await inPhase(mina, 'gone')
  })
})

describe('a computer that only contacts may see', () => {
  it('has no name for others, and gets invitations of contacts without a server', async () => {
    const server = 'ws://elsewhere.invalid/v1'
    const settings = await withVisibility('contacts')
    const jonas = computer('Jonas', { contacts: ['Mina'], server, settings })
    const mina = computer('Mina', { contacts: ['Jonas'], server })
    const sora = computer('Sora')
    expect(await listed(mina, 'Jonas')).toMatchObject({ contact: contactId('Jonas') })
    await listed(sora, 'Mina')
    expect(sora.client.snapshot().state.nearby.map(({ name }) => name)).toEqual(['Mina'])
    rig.send(mina, 'Jonas')
    await waitForState(mina.client, ({ shares }) =>
      shares[0]?.invited?.find(({ phase }) => phase === 'notified'),
    )
    const invitation = await waitForState(jonas.client, ({ invitations }) => invitations[0])
    expect(invitation).toMatchObject({ contact: contactId('Mina'), summary: 'video.mp4' })
    jonas.client.contacts.accept(invitation)
    expect(await jonas.engine.nth('open-receive')).toMatchObject({
      secret: { kind: 'contact', contact: contactId('Mina') },
    })
  })
})
