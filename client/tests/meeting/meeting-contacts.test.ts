/** Contacts that reach each other through public meeting points. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dayOf, keyDoorOf } from '#client/meeting/meeting-door'
import type { NostrEvent } from '#client/meeting/nostr-event'
import { fakeKey } from '#client/testing/fake-engine'
import { contactId, ContactRig, sharedKey } from '../contact-rig'
import { met } from '../engine-events'
import type { Station } from '../rig'
import { MeetingStations } from './meeting-stations'

let rig: ContactRig
let at: MeetingStations
beforeEach(() => {
  rig = new ContactRig()
  at = new MeetingStations()
})
afterEach(async () => {
  const ended = rig.end()
  // Programs that end wait for their last notifications.
  await at.pass(4000)
  await ended
})

const person = (name: string, other: string): Station =>
  rig.person(name, { contacts: [other], server: at.embedded, ...at.options })

const stateOf = ({ client }: Station) => client.snapshot().state
const reachable = (station: Station) =>
  at.until(() => (stateOf(station).reachability.phase === 'on' ? true : null))
const phaseAt = (station: Station) => stateOf(station).shares[0]?.invited?.[0]?.phase
const invited = (station: Station, phase: string) =>
  at.until(() => (phaseAt(station) === phase ? true : null))

/** All events that points have taken, once each. */
const events = (): readonly NostrEvent[] => [
  ...new Map(
    at.urls.flatMap((url) => at.points.at(url).taken).map((event) => [event.id, event]),
  ).values(),
]

/** Mina has sent to Jonas, who knows of it. */
async function offered() {
  const jonas = person('Jonas', 'Mina')
  await reachable(jonas)
  const mina = person('Mina', 'Jonas')
  rig.send(mina, 'Jonas')
  await invited(mina, 'notified')
  return { jonas, mina, invitation: await at.until(() => stateOf(jonas).invitations[0]) }
}

test('an offer reaches a contact, who joins without a code', async () => {
  const { jonas, mina, invitation } = await offered()
  const { nameplate } = invitation
  expect(jonas.client.contacts.accept({ contact: contactId('Mina'), nameplate }).ok).toBe(true)
  const { secret } = await at.until(() => jonas.engine.all('open-receive')[0])
  expect(secret).toEqual({ kind: 'contact', contact: contactId('Mina') })
  const line = await at.until(() => mina.engine.all('add-peer')[0])
  mina.engine.emit(...met(line, 'Jonas'))
  expect(stateOf(mina).shares[0]?.receivers[0]?.name).toBe('Jonas')
})

test('an offer that ends disappears at once', async () => {
  const { jonas, mina } = await offered()
  const endedMs = at.clock.now()
  void [...mina.client.shares.values()][0]?.stop()
  await at.until(() => (stateOf(jonas).invitations.length === 0 ? true : null))
  expect(at.clock.now() - endedMs).toBeLessThan(3000)
})

test('a contact that comes online later gets the offer then', async () => {
  const mina = person('Mina', 'Jonas')
  rig.send(mina, 'Jonas')
  await invited(mina, 'away')
  await at.pass(30_000, 50)
  const jonas = person('Jonas', 'Mina')
  await invited(mina, 'notified')
  expect(stateOf(jonas).invitations).toHaveLength(1)
})

test('an absent contact is asked less and less often', async () => {
  const mina = person('Mina', 'Jonas')
  rig.send(mina, 'Jonas')
  await invited(mina, 'away')
  await at.pass(3600_000, 2000)
  // Two events for each attempt, of which there are twelve an hour in the end.
  expect(events().length).toBeLessThanOrEqual(40)
})

test('a program that contacts may notify is silent for an hour', async () => {
  const jonas = person('Jonas', 'Mina')
  await reachable(jonas)
  await at.pass(1000)
  const before = at.points.events
  await at.pass(3600_000, 5000)
  expect(at.points.events).toBe(before)
  expect(new Set(at.points.opened).size).toBe(2)
})

test('a notification that a point repeats is shown and answered once', async () => {
  const jonas = person('Jonas', 'Mina')
  await reachable(jonas)
  const mina = person('Mina', 'Jonas')
  rig.send(mina, 'Jonas')
  await invited(mina, 'notified')
  await at.pass(1000)
  const before = events().length
  const shown = stateOf(jonas).invitations
  for (const event of events()) for (const url of at.urls) at.points.at(url).publish(event)
  await at.pass(500)
  expect(stateOf(jonas).invitations).toEqual(shown)
  expect(events().length - before).toBeLessThanOrEqual(1)
})

test('topics change every day, and are those of the two contacts', async () => {
  const jonas = person('Jonas', 'Mina')
  await reachable(jonas)
  const mailbox = jonas.engine.contactMailbox(sharedKey('Jonas', 'Mina'), fakeKey('public-Jonas'))
  const topics = (): readonly string[] => [
    ...new Set(
      at.urls.flatMap((url) => [...at.points.at(url).subscribers].flatMap((one) => one.topics)),
    ),
  ]
  const today = (): string => keyDoorOf(mailbox, dayOf(at.clock.now())).topic
  const first = today()
  expect(topics()).toEqual([first])
  await at.pass(24 * 3600_000, 10_000)
  expect(today()).not.toBe(first)
  expect(topics()).toEqual([today()])
})

test('a failed point is replaced, and all lost are reported and found again', async () => {
  const jonas = person('Jonas', 'Mina')
  await reachable(jonas)
  const used = at.urls.filter((url) => at.points.at(url).subscribers.size > 0)
  expect(used).toHaveLength(2)
  for (const url of used) at.points.at(url).faults.kind = 'refuses'
  jonas.client.onWake()
  await at.pass(1000)
  const next = at.urls.filter((url) => at.points.at(url).subscribers.size > 0)
  expect(next).toHaveLength(2)
  expect(next.some((url) => used.includes(url))).toBe(false)
  for (const url of at.urls) at.points.at(url).faults.kind = 'refuses'
  jonas.client.onWake()
  await at.until(() => (stateOf(jonas).reachability.phase === 'trying' ? true : null))
  for (const url of at.urls) at.points.at(url).faults.kind = 'none'
  await reachable(jonas)
})
