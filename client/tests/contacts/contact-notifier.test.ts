import { beforeEach, describe, expect, it } from 'vitest'
import type { StoredContact } from '#client/contacts/contact-file'
import { ContactNotifier } from '#client/contacts/contact-notifier'
import { FakeEngine, fakeKey } from '#client/testing/fake-engine'
import { ManualClock } from '#client/testing/manual-clock'
import { limits } from '#shared/limits'
import {
  type ContactId,
  decodeInvitation,
  type InvitationMessage,
  type Invited,
} from '#shared/state/contacts'

const server = 'ws://a/v1'
const engine = new FakeEngine()
const contact = (name: string, more: Partial<StoredContact> = {}): StoredContact => ({
  ...{ id: name as ContactId, name, server, addedMs: 1, lastSeenMs: null, autoAccept: null },
  ...{ publicKey: fakeKey(`p${name}`), key: fakeKey(`k${name}`) },
  ...more,
})
const id = (name: string) => name as ContactId
const mailboxOf = (name: string) => engine.contactMailbox(fakeKey(`k${name}`), fakeKey(`p${name}`))

let clock: ManualClock
let known: Map<string, StoredContact>
let notifications: { readonly to: string; readonly call: InvitationMessage | null }[]
let invited: readonly Invited[]
let called: ContactId[]
let isNearby: boolean
let notifier: ContactNotifier

beforeEach(() => {
  clock = new ManualClock()
  known = new Map(['anna', 'jonas'].map((name) => [name, contact(name)]))
  notifications = []
  invited = []
  called = []
  isNearby = false
  notifier = new ContactNotifier({
    ...{ clock, server, seal: engine },
    book: {
      find: (asked) => known.get(asked),
      seen: () => undefined,
      removedBy: () => undefined,
      ownPublicKey: null,
    },
    sendNearby: (asked) => {
      called.push(asked)
      return Promise.resolve(isNearby)
    },
    send: (message) => {
      if (message.t !== 'notify') throw new Error(message.t)
      const to = [...known.values()].find(({ name }) => mailboxOf(name) === message.mailbox)
      const text =
        to === undefined ? null : engine.openInvitation(to.key, to.publicKey, message.body)
      notifications.push({ to: to?.name ?? '', call: decodeInvitation(text ?? '') })
    },
    report: (now) => (invited = now),
  })
})

const notified = (): readonly string[] => notifications.splice(0).map(({ to }) => to)

describe('a notifier', () => {
  it('waits for the nameplate, then notifies all contacts', () => {
    notifier.invite([id('anna'), id('jonas'), id('anna')])
    expect(notifications).toEqual([])
    notifier.describe('photos')
    notifier.hosted('4821')
    expect(notifications).toEqual([
      { to: 'anna', call: { v: 1, nameplate: '4821', summary: 'photos', atMs: clock.now() } },
      { to: 'jonas', call: { v: 1, nameplate: '4821', summary: 'photos', atMs: clock.now() + 1 } },
    ])
    expect(invited).toMatchObject([{ phase: 'notifying' }, { phase: 'notifying' }])
  })

  it('notifies an absent contact every ten seconds, and a reached one every five minutes', () => {
    notifier.invite([id('anna'), id('jonas')])
    notifier.hosted('4821')
    notifier.onNotified(mailboxOf('anna'), true)
    notifier.onNotified(mailboxOf('jonas'), false)
    expect(invited).toMatchObject([{ phase: 'notified' }, { phase: 'away' }])
    notified()
    clock.advance(10_000)
    expect(notified()).toEqual(['jonas'])
    clock.advance(280_000)
    expect(new Set(notified())).toEqual(new Set(['jonas']))
    clock.advance(10_000)
    expect(notified()).toEqual(['anna', 'jonas'])
  })

  it('stops after a day, and when the share ends', () => {
    notifier.invite([id('anna')])
    notifier.hosted('4821')
    clock.advance(25 * 3_600_000)
    expect(clock.delays).toEqual([])
    notified()
    notifier.end()
    expect(notified()).toEqual([])
  })

  it('tells notified contacts that have not joined that the share is over', () => {
    notifier.invite([id('anna'), id('jonas')])
    notifier.hosted('4821')
    notifier.onNotified(mailboxOf('anna'), true)
    notified()
    notifier.end()
    const atMs = clock.now() + 2
    expect(notifications).toEqual([
      { to: 'anna', call: { v: 1, nameplate: '4821', ended: true, atMs } },
    ])
    expect(clock.delays).toEqual([])
  })

  it('skips a contact that has joined, and withdraws the invitation from its other computers', () => {
    notifier.invite([id('anna')])
    notifier.hosted('4821')
    notifier.onNotified(mailboxOf('anna'), true)
    notified()
    notifier.joined(id('anna'))
    notifier.joined(id('anna'))
    expect(notifications.splice(0)).toMatchObject([{ call: { ended: true } }])
    clock.advance(600_000)
    expect(notified()).toEqual([])
    notifier.invite([id('anna')])
    expect(notified()).toEqual(['anna'])
  })

  it('notifies a contact again if its automatic acceptance was undone', () => {
    notifier.invite([id('anna')])
    notifier.hosted('4821')
    notifier.onNotified(mailboxOf('anna'), true)
    notifier.undecided(id('anna'))
    notifier.undecided(id('jonas'))
    expect(invited).toEqual([{ contact: 'anna', phase: 'notified' }])
    notifier.joined(id('anna'))
    notified()
    notifier.undecided(id('anna'))
    expect(notified()).toEqual(['anna'])
    expect(invited).toEqual([{ contact: 'anna', phase: 'notifying' }])
  })

  it('notifies all contacts that have not joined when the nameplate changes', () => {
    notifier.invite([id('anna'), id('jonas')])
    notifier.hosted('4821')
    notifier.onNotified(mailboxOf('anna'), true)
    notified()
    notifier.hosted('4821')
    expect(notified()).toEqual(['jonas'])
    notifier.hosted('5932')
    expect(notified()).toEqual(['anna', 'jonas'])
  })

  it('skips contacts that were removed meanwhile or listen elsewhere', () => {
    known.set('sora', contact('sora', { server: 'ws://b/v1' }))
    notifier.invite([id('anna'), id('sora'), id('nobody')])
    known.delete('anna')
    notifier.hosted('4821')
    expect(notified()).toEqual([])
    expect(invited).toMatchObject([{ contact: 'anna' }, { contact: 'sora', phase: 'elsewhere' }])
  })

  it('invites a limited number, within the allowance of the server', () => {
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`)
    for (const name of names) known.set(name, contact(name))
    notifier.invite(names.map(id))
    expect(invited).toHaveLength(limits.contactsPerShare)
    notifier.hosted('4821')
    notified()
    clock.advance(60_000)
    expect(notified()).toEqual([])
    clock.advance(90_000)
    expect(notified()).toHaveLength(limits.contactsPerShare)
  })
})
