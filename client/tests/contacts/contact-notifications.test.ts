import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EngineEvent } from '#client/engine'
import { SettingsInMemory } from '#client/settings/settings-store'
import { waitForState } from '#client/wait-for-state'
import { oneFile } from '#shared/testing/figures'
import { contactId, ContactRig, secretPart, storedBy } from '../contact-rig'
import { accepted, fail, greeted, type Line, met, scanned } from '../engine-events'
import type { Station } from '../rig'
import { receiveOf, shareOf } from '../transfers'

let rig: ContactRig
beforeEach(async () => {
  rig = new ContactRig()
  await rig.startServer()
})
afterEach(() => rig.end())

const reachable = ({ client }: Station) =>
  waitForState(client, ({ reachability }) => (reachability.phase === 'on' ? true : null))

const invited = ({ client }: Station, phase: string) =>
  waitForState(client, ({ shares }) => shares[0]?.invited?.find((one) => one.phase === phase))

const invitation = ({ client }: Station) =>
  waitForState(client, ({ invitations }) => invitations[0])

const noInvitation = ({ client }: Station) =>
  waitForState(client, ({ invitations }) => (invitations.length === 0 ? true : null))

/** Mina and Jonas are contacts, and Jonas is reachable. */
async function pair(jonasOptions: Parameters<ContactRig['person']>[1] = {}) {
  const mina = rig.person('Mina', { contacts: ['Jonas'] })
  const jonas = rig.person('Jonas', { contacts: ['Mina'], ...jonasOptions })
  await reachable(jonas)
  return { mina, jonas }
}

/** Mina shares with Jonas, who was notified. */
async function offered(jonasOptions: Parameters<ContactRig['person']>[1] = {}) {
  const { mina, jonas } = await pair(jonasOptions)
  const share = rig.send(mina, 'Jonas')
  await invited(mina, 'notified')
  return { mina, jonas, share }
}

type OfferEvent = Extract<EngineEvent, { readonly type: 'offer' }>

const nothing = {
  ...{ items: [], files: 0, folders: 0, bytes: 0, dotNames: false, leftOut: [] },
} as const satisfies Partial<OfferEvent>

/** The engines report that the contact has joined. */
async function comeIn(mina: Station, jonas: Station, offer: Partial<OfferEvent> = {}) {
  const { session, peer } = await mina.engine.nth('add-peer')
  const contact = contactId('Jonas')
  mina.engine.emit({
    type: 'pairing-done',
    session,
    peer,
    safety: '482913',
    contact,
    approved: true,
  })
  const host = await jonas.engine.nth('open-receive')
  const about = { session: host.session, peer: host.peer }
  jonas.engine.emit(...met(about), {
    type: 'offer',
    ...about,
    ...nothing,
    files: 1,
    bytes: 1,
    ...offer,
  })
  return { ...about, guest: { session, peer } }
}

/** The sender's engine reports that a receiver has accepted. */
const start = ({ engine }: Station, line: Line): void => engine.emit(accepted(line))

/** Both engines report the end of an undecided transfer. */
function leaveToPerson(mina: Station, jonas: Station, about: Awaited<ReturnType<typeof comeIn>>) {
  const { guest, ...host } = about
  fail(mina, guest, 'E_UNDECIDED')
  fail(jonas, host, 'E_UNDECIDED')
}

describe('a share for a contact', () => {
  it('arrives there as an invitation, and is received without a code', async () => {
    const { mina, jonas } = await offered()
    const nameplate = (shareOf(mina)?.code ?? '').slice(0, 4)
    const arrived = await invitation(jonas)
    expect(arrived).toMatchObject({
      ...{ contact: contactId('Mina'), nameplate, summary: 'video.mp4' },
    })
    expect(jonas.client.contacts.accept(arrived).ok).toBe(true)
    expect(await jonas.engine.nth('open-receive')).toMatchObject({
      nameplate,
      secret: { kind: 'contact', contact: contactId('Mina') },
    })
    const { guest } = await comeIn(mina, jonas)
    expect(shareOf(mina)?.invited).toMatchObject([{ phase: 'notified' }])
    start(mina, guest)
    expect(await invited(mina, 'joined')).toBeDefined()
    const { state } = jonas.client.snapshot()
    expect(state.invitations).toEqual([])
    expect(state.receives).toMatchObject([
      { code: nameplate, contact: contactId('Mina'), phase: 'offered', directory: null },
    ])
    expect(shareOf(mina)?.receivers).toMatchObject([{ contact: contactId('Jonas') }])
  })

  it('needs no approval for the contact', async () => {
    const { mina, jonas } = await offered()
    expect(jonas.client.contacts.accept(await invitation(jonas)).ok).toBe(true)
    const { guest } = await comeIn(mina, jonas)
    const wanted = { type: 'approval-requested', ...guest } as const
    mina.engine.emit(...greeted(guest, 'Jonas'), wanted)
    expect(mina.engine.all('approve-peer')).toEqual([
      { type: 'approve-peer', ...guest, approved: true },
    ])
    expect(shareOf(mina)?.receivers).toMatchObject([{ phase: 'deciding' }])
  })

  it('reports the totals counted so far', async () => {
    const { mina, jonas } = await pair()
    rig.send(mina, 'Jonas')
    const { session } = await mina.engine.nth('open-share')
    mina.engine.emit(scanned(session, { files: 3, bytes: 61_900_000_000 }))
    expect((await invitation(jonas)).summary).toBe('video.mp4 · 3 files · 61.9 GB')
  })

  it('waits for an absent contact, and notifies every ten seconds', async () => {
    const mina = rig.person('Mina', { contacts: ['Jonas'] })
    rig.send(mina, 'Jonas')
    await invited(mina, 'away')
    const jonas = rig.person('Jonas', { contacts: ['Mina'] })
    await reachable(jonas)
    expect(jonas.client.snapshot().state.invitations).toEqual([])
    mina.clock.advance(10_000)
    expect(await invitation(jonas)).toBeDefined()
    expect(await invited(mina, 'notified')).toBeDefined()
  })

  it('can be sent to more contacts later, but not to strangers', async () => {
    const { mina, jonas } = await pair()
    const share = rig.send(mina)
    await waitForState(mina.client, ({ shares }) => shares[0]?.code)
    expect(shareOf(mina)?.invited).toBeUndefined()
    expect(mina.client.invite(share, [contactId('Sora')])).toMatchObject({
      error: { code: 'E_BAD_ARGUMENT' },
    })
    expect(mina.client.invite(share, [contactId('Jonas')]).ok).toBe(true)
    expect(await invitation(jonas)).toBeDefined()
  })

  it('reports a contact that listens at another server', async () => {
    const mina = rig.person('Mina', {
      ...{ contacts: ['Jonas'], server: 'ws://elsewhere.invalid/v1', reachable: false },
    })
    rig.send(mina, 'Jonas')
    expect(await invited(mina, 'elsewhere')).toBeDefined()
  })

  it('withdraws its invitation when it ends', async () => {
    const { mina, jonas, share } = await offered()
    await invitation(jonas)
    mina.client.shares.get(share)?.stop()
    await noInvitation(jonas)
  })
})

describe('an invitation', () => {
  it('that is declined disappears, even if the sender notifies again', async () => {
    const { jonas } = await offered()
    const about = await invitation(jonas)
    expect(jonas.client.contacts.decline(about).ok).toBe(true)
    expect(jonas.client.snapshot().state.invitations).toEqual([])
    expect(jonas.client.contacts.decline(about).ok).toBe(false)
    expect(jonas.client.contacts.accept(about).ok).toBe(false)
    expect(jonas.engine.all('open-receive')).toEqual([])
  })

  it('fails with E_CONTACT_UNKNOWN when the other side has removed this contact', async () => {
    const { jonas } = await offered()
    jonas.client.contacts.accept(await invitation(jonas))
    const { session, peer } = await jonas.engine.nth('open-receive')
    const error = { code: 'E_CONTACT_UNKNOWN', detail: '' }
    jonas.engine.emit({ type: 'failed', session, peer, error })
    const failed = await waitForState(jonas.client, ({ receives }) => receives[0]?.error)
    expect(failed.code).toBe('E_CONTACT_UNKNOWN')
  })

  it('with automatic acceptance goes into its own folder, replacing nothing', async () => {
    const directory = join(rig.folder, 'from-mina')
    const { mina, jonas } = await offered({ autoAccept: { directory } })
    const { session } = await comeIn(mina, jonas)
    expect(await jonas.engine.nth('accept')).toMatchObject({
      ...{ session, directory },
      options: { conflict: 'keep-both', keepExecutable: false },
    })
    expect(jonas.client.snapshot().state.invitations).toEqual([])
  })

  it.each([
    ['is larger than was allowed', { bytes: 11 }],
    ['has names that programs obey', { dotNames: true }],
  ])('with automatic acceptance waits for a person when it %s', async (_why, offer) => {
    const directory = join(rig.folder, 'from-mina')
    const { mina, jonas } = await offered({ autoAccept: { directory, maxBytes: 10 } })
    const about = await comeIn(mina, jonas, offer)
    expect(await jonas.engine.nth('refuse')).toEqual({
      ...{ type: 'refuse', session: about.session, why: 'E_UNDECIDED' },
    })
    leaveToPerson(mina, jonas, about)
    await invitation(jonas)
    expect(jonas.engine.all('accept')).toEqual([])
    expect(shareOf(mina)?.receivers).toMatchObject([
      { phase: 'failed', error: { code: 'E_UNDECIDED' } },
    ])
    // So the invitation is renewed.
    expect(shareOf(mina)?.invited).toMatchObject([{ phase: 'notified' }])
    // Now a person is asked, however often Mina notifies.
    jonas.client.contacts.accept(await invitation(jonas))
    await jonas.engine.nth('open-receive', 1)
    expect(jonas.engine.all('accept')).toEqual([])
  })

  it('with automatic acceptance is accepted within its limits', async () => {
    const directory = join(rig.folder, 'from-mina')
    const { mina, jonas } = await offered({ autoAccept: { directory, maxBytes: 10 } })
    await comeIn(mina, jonas)
    expect(await jonas.engine.nth('accept')).toMatchObject({ autoAccept: { maxBytes: 10 } })
  })

  it('with automatic acceptance waits for a person when it grows beyond its limits', async () => {
    const directory = join(rig.folder, 'from-mina')
    const { mina, jonas } = await offered({ autoAccept: { directory, maxBytes: 10 } })
    const about = await comeIn(mina, jonas)
    await jonas.engine.nth('accept')
    start(mina, about.guest)
    expect(await invited(mina, 'joined')).toBeDefined()
    leaveToPerson(mina, jonas, about)
    expect(receiveOf(jonas)?.error?.code).toBe('E_UNDECIDED')
    expect(await invited(mina, 'notified')).toBeDefined()
    await invitation(jonas)
    expect(jonas.engine.all('open-receive')).toHaveLength(1)
  })

  it('that was left to a person is not accepted automatically', async () => {
    const { mina, jonas } = await offered()
    jonas.client.contacts.accept(await invitation(jonas))
    await comeIn(mina, jonas)
    await waitForState(jonas.client, ({ receives }) =>
      receives.find(({ phase }) => phase === 'offered'),
    )
    await Promise.resolve()
    expect(jonas.engine.all('accept')).toEqual([])
  })

  it('disappears with its contact', async () => {
    const { jonas } = await offered()
    await invitation(jonas)
    await jonas.client.contacts.remove(contactId('Mina'))
    expect(jonas.client.snapshot().state.invitations).toEqual([])
  })

  it('of a contact that another program removed is not shown', async () => {
    const { mina, jonas } = await pair()
    const stored = storedBy(jonas)
    const text = JSON.stringify({ ...stored, contacts: [] })
    writeFileSync(join(jonas.stateDir, 'contacts.json'), text)
    rig.send(mina, 'Jonas')
    await waitForState(jonas.client, ({ contacts }) => (contacts.length === 0 ? true : null))
    expect(jonas.client.snapshot().state.invitations).toEqual([])
  })
})

describe('a share without a code', () => {
  const sendTo = ({ client }: Station, ...to: readonly string[]) => {
    const items = [{ kind: 'path', path: rig.file }] as const
    const share = client.send({ items, to: to.map(contactId) })
    if (!share.ok) throw new Error(share.error.detail)
    return share.value
  }
  const first = ({ client }: Station) => client.snapshot().state.shares[0]

  it('ends a minute after its contact has everything', async () => {
    const { mina, jonas } = await pair()
    const share = sendTo(mina, 'Jonas')
    await invited(mina, 'notified')
    expect(first(mina)).toMatchObject({ code: null, phase: 'open', invitedOnly: true })
    jonas.client.contacts.accept(await invitation(jonas))
    const { guest } = await comeIn(mina, jonas)
    mina.engine.emit(...greeted(guest, 'Jonas'))
    start(mina, guest)
    expect(first(mina)).toMatchObject({ codeEnd: null, invited: [{ phase: 'joined' }] })
    mina.engine.emit({ type: 'finished', ...guest, ...oneFile })
    expect(first(mina)).toMatchObject({ codeEnd: 'everyone', phase: 'open' })
    expect(mina.client.shares.has(share)).toBe(true)
    mina.clock.advance(60_000)
    expect(first(mina)).toMatchObject({ phase: 'stopped' })
  })

  it('goes on while a contact has not answered, or may return', async () => {
    const { mina, jonas } = await pair()
    sendTo(mina, 'Jonas')
    await invited(mina, 'notified')
    jonas.client.contacts.accept(await invitation(jonas))
    const { guest } = await comeIn(mina, jonas)
    mina.engine.emit(...greeted(guest, 'Jonas'))
    start(mina, guest)
    fail(mina, guest, 'E_PEER_GONE')
    expect(first(mina)).toMatchObject({ codeEnd: null, receivers: [{ phase: 'interrupted' }] })
    fail(mina, guest, 'E_DECLINED')
    expect(first(mina)?.codeEnd).toBeNull()
  })

  it('ends when its contact declines', async () => {
    const { mina, jonas } = await pair()
    sendTo(mina, 'Jonas')
    await invited(mina, 'notified')
    jonas.client.contacts.accept(await invitation(jonas))
    const { guest } = await comeIn(mina, jonas)
    mina.engine.emit(...greeted(guest, 'Jonas'))
    fail(mina, guest, 'E_DECLINED')
    expect(first(mina)).toMatchObject({ codeEnd: 'everyone', receivers: [{ phase: 'failed' }] })
  })

  it('is shared at the server of its contacts, who must use the same one', () => {
    const mina = rig.person('Mina', {
      ...{ contacts: ['Jonas', 'Sora'], server: 'ws://127.0.0.1:9/v1', reachable: false },
    })
    sendTo(mina, 'Jonas')
    expect(first(mina)?.invited).toMatchObject([{ phase: 'notifying' }])
    const stored = storedBy(mina)
    const [jonas, ...others] = stored.contacts
    const contacts = [{ ...jonas, server: 'ws://127.0.0.1:7/v1' }, ...others]
    writeFileSync(join(mina.stateDir, 'contacts.json'), JSON.stringify({ ...stored, contacts }))
    const to = [contactId('Jonas'), contactId('Sora')]
    const items = [{ kind: 'path', path: rig.file }] as const
    mina.client.contacts.checkKnown(to)
    expect(mina.client.send({ items, to })).toMatchObject({
      error: { detail: expect.stringMatching('different servers') as string },
    })
  })
})

describe('a contact that was removed', () => {
  it('learns so when it sends, and is not shown to the other side', async () => {
    const { mina, jonas } = await pair()
    await jonas.client.contacts.remove(contactId('Mina'))
    await reachable(jonas)
    rig.send(mina, 'Jonas')
    expect(await invited(mina, 'removed')).toBeDefined()
    expect(jonas.client.snapshot().state.invitations).toEqual([])
    expect(mina.engine.all('add-peer')).toEqual([])
    await waitForState(mina.client, ({ contacts }) => contacts[0]?.removedYou)
    await mina.client.contacts.flushed()
    expect(storedBy(mina).contacts).toMatchObject([{ removedYou: true }])
    const items = [{ kind: 'path', path: rig.file }] as const
    expect(mina.client.send({ items, to: [contactId('Jonas')] })).toMatchObject({
      error: { code: 'E_CONTACT_UNKNOWN' },
    })
  })

  it('is told so for a month', async () => {
    const jonas = rig.person('Jonas', { contacts: ['Mina'] })
    await reachable(jonas)
    await jonas.client.contacts.remove(contactId('Mina'))
    expect(storedBy(jonas).former).toHaveLength(1)
    jonas.clock.advance(31 * 24 * 3_600_000)
    await jonas.client.changeSettings({ contacts: { reachable: false } })
    await waitForState(jonas.client, ({ reachability }) => reachability.phase === 'off' || null)
  })
})

describe('being reachable', () => {
  it('requires a contact and the setting', async () => {
    const alone = rig.person('Sora')
    const silent = rig.person('Noor', { contacts: ['Mina'], reachable: false })
    const mina = rig.person('Mina', { contacts: ['Noor'], reachable: false })
    rig.send(mina, 'Noor')
    await invited(mina, 'away')
    for (const { client } of [alone, silent]) {
      expect(client.snapshot().state.reachability).toEqual({ phase: 'off' })
    }
  })

  it('ends and begins with its setting, and shows nothing in between', async () => {
    const settings = new SettingsInMemory()
    const { mina, jonas } = await pair({ settings, reachable: 'as-set' })
    await jonas.client.changeSettings({ contacts: { reachable: false } })
    await waitForState(jonas.client, ({ reachability }) => reachability.phase === 'off' || null)
    rig.send(mina, 'Jonas')
    await invited(mina, 'away')
    expect(jonas.client.snapshot().state.invitations).toEqual([])
    await jonas.client.changeSettings({ contacts: { reachable: null } })
    await reachable(jonas)
  })

  it('resumes after the server was lost', async () => {
    const { jonas } = await pair()
    await rig.stopServer()
    await waitForState(jonas.client, ({ reachability: { phase } }) =>
      phase === 'trying' ? true : null,
    )
    await rig.startServer()
    await jonas.clock.untilDelay(1000)
    jonas.clock.advance(1000)
    await reachable(jonas)
  })

  it('begins with the first contact, and follows every change', async () => {
    const jonas = rig.person('Jonas', { contacts: ['Mina', 'Sora'] })
    const mina = rig.person('Mina', { contacts: ['Jonas'] })
    await reachable(jonas)
    await jonas.client.contacts.remove(contactId('Sora'))
    rig.send(mina, 'Jonas')
    expect(await invitation(jonas)).toMatchObject({ contact: contactId('Mina') })
  })

  it('uses several sockets for very many contacts', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `n${index}`)
    const jonas = rig.person('Jonas', { contacts: [...names, 'Mina'] })
    await reachable(jonas)
    const mina = rig.person('Mina', { contacts: ['Jonas'] })
    rig.send(mina, 'Jonas')
    expect(await invitation(jonas)).toMatchObject({ contact: contactId('Mina') })
  })
})

it('no event and no snapshot holds a secret of a contact', async () => {
  const { mina, jonas } = await pair()
  const seen: string[] = []
  for (const { client } of [mina, jonas]) {
    seen.push(JSON.stringify(client.snapshot()))
    client.subscribe((batch) => seen.push(JSON.stringify(batch)))
  }
  rig.send(mina, 'Jonas')
  jonas.client.contacts.accept(await invitation(jonas))
  start(mina, (await comeIn(mina, jonas)).guest)
  await invited(mina, 'joined')
  await jonas.client.contacts.rename(contactId('Mina'), 'M')
  expect(seen.length).toBeGreaterThan(4)
  expect(seen.join('\n')).not.toMatch(secretPart)
})
