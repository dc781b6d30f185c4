import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeKey } from '#client/testing/fake-engine'
import { waitForState } from '#client/wait-for-state'
import { limits } from '#shared/limits'
import type { PeerId } from '#shared/state/app-state'
import { oneFile } from '#shared/testing/figures'
import { contactId, ContactRig, secretPart, sharedKey, storedBy } from '../contact-rig'
import { greeted, type Line, met } from '../engine-events'
import type { Station } from '../rig'
import { shareOf } from '../transfers'

let rig: ContactRig
beforeEach(async () => {
  rig = new ContactRig()
  await rig.startServer()
})
afterEach(() => rig.end())

/** Mina shares, Jonas has entered the code, and they are connected. */
async function meeting() {
  const mina = rig.person('Mina')
  const jonas = rig.person('Jonas')
  const share = rig.send(mina)
  const code = await waitForState(mina.client, ({ shares }) => shares[0]?.code)
  const receive = jonas.client.join(code)
  if (!receive.ok) throw new Error(receive.error.detail)
  const atMina = await mina.engine.nth('add-peer')
  const atJonas = await jonas.engine.nth('open-receive')
  greet(mina, atMina, 'Jonas')
  greet(jonas, atJonas, 'Mina')
  const peer = { share, peer: atMina.peer as PeerId }
  return { mina, jonas, atMina, atJonas, peer, receive: receive.value }
}

const greet = ({ engine }: Station, line: Line, name: string): void =>
  engine.emit(...met(line, name))

const added = ({ engine }: Station, { session, peer }: Line, other: string, key: string): void =>
  engine.emit({ type: 'contact-added', session, peer, publicKey: fakeKey(`public-${other}`), key })

const atShare = ({ client }: Station) =>
  client.snapshot().state.shares[0]?.receivers[0]?.contactRequest
const atReceive = ({ client }: Station) => client.snapshot().state.receives[0]?.contactRequest
const contacts = ({ client }: Station) => client.snapshot().state.contacts
const toBeKept = ({ client }: Station) =>
  waitForState(client, ({ contacts: all }) => (all.length > 0 ? all : null))

describe('a contact request', () => {
  it('requires both sides: each asks the engine, and the reported contact is stored', async () => {
    const { mina, jonas, atMina, atJonas, peer, receive } = await meeting()
    const key = sharedKey('Mina', 'Jonas')
    expect([atShare(mina), atReceive(jonas)]).toEqual(['possible', 'possible'])

    expect(await mina.client.contacts.request(peer)).toEqual({ ok: true, value: null })
    expect(atShare(mina)).toBe('sent')
    expect(mina.engine.commands.slice(-2)).toMatchObject([
      { type: 'set-contacts', own: { publicKey: fakeKey('public-Mina') }, contacts: [] },
      { type: 'request-contact', session: atMina.session, peer: atMina.peer },
    ])
    const { session, peer: sender } = atJonas
    jonas.engine.emit({ type: 'contact-requested', session, peer: sender })
    expect(atReceive(jonas)).toBe('received')
    expect(contacts(jonas)).toEqual([])

    await jonas.client.contacts.request({ receive })
    added(mina, atMina, 'Jonas', key)
    added(jonas, atJonas, 'Mina', key)
    expect(await toBeKept(mina)).toMatchObject([{ name: 'Jonas', server: `${rig.url}/v1` }])
    expect(await toBeKept(jonas)).toMatchObject([{ name: 'Mina', autoAccept: null }])
    expect([atShare(mina), atReceive(jonas)]).toEqual(['accepted', 'accepted'])

    const file = storedBy(jonas)
    expect(file).toMatchObject({ version: 1, own: { secret: fakeKey('secret-Jonas') } })
    expect(file.contacts).toMatchObject([{ key, publicKey: fakeKey('public-Mina') }])
    if (process.platform !== 'win32') {
      expect(statSync(join(jonas.stateDir, 'contacts.json')).mode & 0o777).toBe(0o600)
    }
    expect(jonas.engine.all('set-contacts').at(-1)?.contacts).toMatchObject([{ key }])
  })

  it('keeps the name of a known contact', async () => {
    const { mina, atMina, peer } = await meeting()
    await mina.client.contacts.request(peer)
    added(mina, atMina, 'Jonas', sharedKey('Mina', 'Jonas'))
    await toBeKept(mina)
    const next = { session: atMina.session, peer: 'p2' as PeerId }
    mina.engine.emit(...met(next, 'Ali'))
    await mina.client.contacts.request({ ...peer, peer: next.peer })
    const before = mina.engine.all('set-contacts').length
    added(mina, next, 'Jonas', sharedKey('Mina', 'later'))
    await mina.engine.nth('set-contacts', before + 1)
    expect(contacts(mina).map((contact) => contact.name)).toEqual(['Jonas'])
  })

  it('is impossible with a web page', async () => {
    const { mina, atMina, peer } = await meeting()
    const page = { session: atMina.session, peer: 'p2' as PeerId }
    mina.engine.emit(
      ...met(page, 'Ali').map((event) =>
        event.type === 'greeted' ? { ...event, browser: true } : event,
      ),
    )
    const asked = await mina.client.contacts.request({ ...peer, peer: page.peer })
    expect(asked).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
    expect(mina.engine.all('request-contact')).toEqual([])
  })

  it('is still possible for a while after the transfer', async () => {
    const { jonas, atJonas, receive } = await meeting()
    const { session, peer } = atJonas
    jonas.engine.emit({ type: 'finished', session, peer, ...oneFile })
    expect((await jonas.client.contacts.request({ receive })).ok).toBe(true)
    added(jonas, atJonas, 'Mina', sharedKey('Mina', 'Jonas'))
    expect(await toBeKept(jonas)).toHaveLength(1)
  })

  it('ends with the connection of a receiver that has everything', async () => {
    const { mina, atMina } = await meeting()
    mina.engine.emit({ type: 'finished', session: atMina.session, peer: atMina.peer, ...oneFile })
    mina.clock.advance(59_000)
    expect(atShare(mina)).toBe('possible')
    mina.clock.advance(2000)
    expect(atShare(mina)).toBeUndefined()
  })

  it('is over when the other side has left', async () => {
    const { mina, jonas, atMina, atJonas, peer, receive } = await meeting()
    const error = { code: 'E_PEER_GONE', detail: '' }
    mina.engine.emit({ type: 'failed', session: atMina.session, peer: atMina.peer, error })
    expect(atShare(mina)).toBeUndefined()
    expect((await mina.client.contacts.request(peer)).ok).toBe(false)
    const { session, peer: sender } = atJonas
    jonas.engine.emit({ type: 'finished', session, peer: sender, ...oneFile })
    jonas.clock.advance(60_000)
    expect(atReceive(jonas)).toBeUndefined()
    expect((await jonas.client.contacts.request({ receive })).ok).toBe(false)
  })

  it('never happens without a request from this side, whatever the engine reports', async () => {
    const { jonas, atJonas } = await meeting()
    added(jonas, atJonas, 'Mina', sharedKey('Mina', 'Jonas'))
    await jonas.client.close()
    expect(contacts(jonas)).toEqual([])
  })

  it('is not offered to a peer that joined as a contact', async () => {
    const { mina, atMina } = await meeting()
    const about = { session: atMina.session, peer: 'p2' }
    mina.engine.emit(
      {
        ...{ type: 'pairing-done', ...about, safety: '482913' },
        ...{ contact: contactId('Sora'), approved: true },
      },
      ...greeted(about, 'Sora', 'e'.repeat(32)),
    )
    expect(shareOf(mina)?.receivers).toHaveLength(1)
  })

  it('gives an existing contact the new keys, under the same name', async () => {
    const mina = rig.person('Mina', { contacts: ['Jonas'] })
    const share = rig.send(mina)
    await waitForState(mina.client, ({ shares }) => shares[0]?.code)
    const { session } = await mina.engine.nth('open-share')
    const jonas = rig.person('Jonas')
    jonas.client.join(await waitForState(mina.client, ({ shares }) => shares[0]?.code))
    const line = await mina.engine.nth('add-peer')
    greet(mina, line, 'Jonas at work')
    await mina.client.contacts.request({ share, peer: line.peer as PeerId })
    const key = fakeKey('another')
    added(mina, { session, peer: line.peer }, 'Jonas', key)
    await waitForState(mina.client, () => (atShare(mina) === 'accepted' ? true : null))
    expect(contacts(mina)).toMatchObject([{ id: contactId('Jonas'), name: 'Jonas' }])
    expect(storedBy(mina).contacts).toMatchObject([{ key }])
  })

  it('fails when there is no room for more', async () => {
    const names = Array.from({ length: limits.contactsStored }, (_, index) => `n${index}`)
    const mina = rig.person('Mina', { contacts: names, reachable: false })
    const share = rig.send(mina)
    const code = await waitForState(mina.client, ({ shares }) => shares[0]?.code)
    rig.person('Jonas').client.join(code)
    const line = await mina.engine.nth('add-peer')
    greet(mina, line, 'Jonas')
    const peer = { share, peer: line.peer as PeerId }
    expect(await mina.client.contacts.request(peer)).toMatchObject({
      error: { code: 'E_LIMIT_EXCEEDED' },
    })
  })
})

describe('stored contacts', () => {
  it('are there after a restart: in the state without their keys, in the engine with them', () => {
    const mina = rig.person('Mina', { contacts: ['Jonas', 'Anna'] })
    expect(contacts(mina).map(({ name }) => name)).toEqual(['Anna', 'Jonas'])
    expect(mina.engine.all('set-contacts')).toMatchObject([
      {
        own: { secret: fakeKey('secret-Mina') },
        contacts: [{ key: sharedKey('Mina', 'Jonas') }, {}],
      },
    ])
    expect(JSON.stringify(mina.client.snapshot())).not.toMatch(secretPart)
  })

  it('are in the groups that were set last', async () => {
    const mina = rig.person('Mina', { contacts: ['Jonas'] })
    const { contacts: book } = mina.client
    await book.setGroups(contactId('Jonas'), ['Family', 'Work'])
    expect(contacts(mina)[0]?.groups).toEqual(['Family', 'Work'])
    expect(storedBy(mina).contacts).toMatchObject([{ groups: ['Family', 'Work'] }])
    await book.setGroups(contactId('Jonas'), [])
    expect(contacts(mina)[0]?.groups).toBeUndefined()
  })

  it('are renamed, get a folder of their own, and are removed', async () => {
    const mina = rig.person('Mina', { contacts: ['Jonas', 'Anna'] })
    const jonas = contactId('Jonas')
    const { contacts: book } = mina.client
    await book.rename(jonas, 'anna')
    await book.setAutoAccept(jonas, { directory: '/media/jonas' })
    expect(contacts(mina)[1]).toMatchObject({
      name: 'anna 2',
      autoAccept: { directory: '/media/jonas' },
    })
    expect(mina.engine.all('set-contacts')).toHaveLength(1)
    await book.remove(jonas)
    expect(contacts(mina)).toMatchObject([{ name: 'Anna' }])
    expect(mina.engine.all('set-contacts').at(-1)?.contacts).toMatchObject([
      { id: contactId('Anna') },
    ])
    expect(await book.remove(jonas)).toMatchObject({ error: { code: 'E_BAD_ARGUMENT' } })
    expect(storedBy(mina).contacts).toHaveLength(1)
  })

  it('that another program removed disappear with the next share', () => {
    const mina = rig.person('Mina', { contacts: ['Jonas', 'Anna'] })
    const path = join(mina.stateDir, 'contacts.json')
    const stored = storedBy(mina)
    writeFileSync(path, JSON.stringify({ ...stored, contacts: stored.contacts.slice(1) }))
    const items = [{ kind: 'path', path: rig.file }] as const
    expect(mina.client.openShare({ items, to: [contactId('Jonas')] })).toMatchObject({
      error: { code: 'E_BAD_ARGUMENT' },
    })
    expect(contacts(mina)).toHaveLength(1)
    expect(mina.engine.all('set-contacts').at(-1)?.contacts).toHaveLength(1)
  })

  it('that are invalid are omitted without affecting others', () => {
    const before = rig.person('Mina', { contacts: ['Jonas', 'Anna'] })
    const path = join(before.stateDir, 'contacts.json')
    const stored = storedBy(before)
    const [jonas, anna] = stored.contacts
    writeFileSync(path, JSON.stringify({ ...stored, contacts: [{ ...jonas, key: 'short' }, anna] }))
    const again = rig.station({ stateDir: before.stateDir })
    expect(contacts(again)).toMatchObject([{ name: 'Anna' }])
    expect(JSON.stringify(again.client.snapshot().state)).toMatch('contacts.json')
  })
})

it('a contact met without a server is reached at whichever server is used', async () => {
  const server = 'ws://127.0.0.1:41480/v1'
  const mina = rig.person('Mina', {
    contacts: ['Jonas'],
    server,
    serverUrl: null,
    reachable: false,
  })
  expect(contacts(mina)[0]).toMatchObject({ server })
  const servers = [{ name: 'A', url: rig.url, fallbacks: [], stun: [], turn: [] }]
  await mina.client.changeSettings({ network: { servers, defaultServer: 'A' } })
  expect(contacts(mina)[0]).toMatchObject({ server: `${rig.url}/v1` })
  const jonas = rig.person('Jonas', { contacts: ['Mina'], server })
  rig.send(mina, 'Jonas')
  await waitForState(jonas.client, ({ invitations }) => invitations[0])
  expect(storedBy(mina).contacts[0]?.server).toBe(server)
})
