import { beforeEach, describe, expect, it } from 'vitest'
import type { StoredContact } from '#client/contact-file'
import { ContactRinger } from '#client/contact-ringer'
import { FakeEngine, fakeKey } from '#client/testing/fake-engine'
import { ManualClock } from '#client/testing/manual-clock'
import { type Call, type ContactId, decodeCall, type Invited } from '#shared/contacts'
import { limits } from '#shared/limits'

const server = 'ws://a/v1'
const engine = new FakeEngine()
const contact = (name: string, more: Partial<StoredContact> = {}): StoredContact => ({
  ...{ id: name as ContactId, name, server, addedMs: 1, lastUsedMs: null, autoAccept: null },
  ...{ publicKey: fakeKey(`p${name}`), key: fakeKey(`k${name}`) },
  ...more,
})
const id = (name: string) => name as ContactId
const mailboxOf = (name: string) => engine.contactMailbox(fakeKey(`k${name}`), fakeKey(`p${name}`))

let clock: ManualClock
let known: Map<string, StoredContact>
let rings: { readonly to: string; readonly call: Call | null }[]
let invited: readonly Invited[]
let ringer: ContactRinger

beforeEach(() => {
  clock = new ManualClock()
  known = new Map(['anna', 'jonas'].map((name) => [name, contact(name)]))
  rings = []
  invited = []
  ringer = new ContactRinger({
    ...{ clock, server, seal: engine },
    book: { find: (asked) => known.get(asked) },
    send: (message) => {
      if (message.t !== 'ring') throw new Error(message.t)
      const to = [...known.values()].find(({ name }) => mailboxOf(name) === message.mailbox)
      const text =
        to === undefined ? null : engine.openInvitation(to.key, to.publicKey, message.body)
      rings.push({ to: to?.name ?? '', call: decodeCall(text ?? '') })
    },
    tell: (now) => (invited = now),
  })
})

const rung = (): readonly string[] => rings.splice(0).map(({ to }) => to)

describe('a ringer', () => {
  it('waits for the nameplate, then rings everybody', () => {
    ringer.invite([id('anna'), id('jonas'), id('anna')])
    expect(rings).toEqual([])
    ringer.describe('photos')
    ringer.hosted('4821')
    expect(rings).toEqual([
      { to: 'anna', call: { v: 1, nameplate: '4821', summary: 'photos', atMs: clock.now() } },
      { to: 'jonas', call: { v: 1, nameplate: '4821', summary: 'photos', atMs: clock.now() + 1 } },
    ])
    expect(invited).toMatchObject([{ phase: 'ringing' }, { phase: 'ringing' }])
  })

  it('rings who is away every ten seconds, and who heard it every five minutes', () => {
    ringer.invite([id('anna'), id('jonas')])
    ringer.hosted('4821')
    ringer.rung(mailboxOf('anna'), true)
    ringer.rung(mailboxOf('jonas'), false)
    expect(invited).toMatchObject([{ phase: 'told' }, { phase: 'away' }])
    rung()
    clock.advance(10_000)
    expect(rung()).toEqual(['jonas'])
    clock.advance(280_000)
    expect(new Set(rung())).toEqual(new Set(['jonas']))
    clock.advance(10_000)
    expect(rung()).toEqual(['anna', 'jonas'])
  })

  it('stops after a day, and when the share ends', () => {
    ringer.invite([id('anna')])
    ringer.hosted('4821')
    clock.advance(25 * 3_600_000)
    expect(clock.delays).toEqual([])
    rung()
    ringer.end()
    expect(rung()).toEqual([])
  })

  it('tells who was told and has not come that it is over', () => {
    ringer.invite([id('anna'), id('jonas')])
    ringer.hosted('4821')
    ringer.rung(mailboxOf('anna'), true)
    rung()
    ringer.end()
    const atMs = clock.now() + 2
    expect(rings).toEqual([{ to: 'anna', call: { v: 1, nameplate: '4821', ended: true, atMs } }])
    expect(clock.delays).toEqual([])
  })

  it('rings nobody who has come, and takes the invitation back on its other computers', () => {
    ringer.invite([id('anna')])
    ringer.hosted('4821')
    ringer.rung(mailboxOf('anna'), true)
    rung()
    ringer.joined(id('anna'))
    ringer.joined(id('anna'))
    expect(rings.splice(0)).toMatchObject([{ call: { ended: true } }])
    clock.advance(600_000)
    expect(rung()).toEqual([])
    ringer.invite([id('anna')])
    expect(rung()).toEqual(['anna'])
  })

  it('rings again who has to look at what came by itself, and nobody else', () => {
    ringer.invite([id('anna')])
    ringer.hosted('4821')
    ringer.rung(mailboxOf('anna'), true)
    ringer.undecided(id('anna'))
    ringer.undecided(id('jonas'))
    expect(invited).toEqual([{ contact: 'anna', phase: 'told' }])
    ringer.joined(id('anna'))
    rung()
    ringer.undecided(id('anna'))
    expect(rung()).toEqual(['anna'])
    expect(invited).toEqual([{ contact: 'anna', phase: 'ringing' }])
  })

  it('rings everybody who has not come when the nameplate is another one', () => {
    ringer.invite([id('anna'), id('jonas')])
    ringer.hosted('4821')
    ringer.rung(mailboxOf('anna'), true)
    rung()
    ringer.hosted('4821')
    expect(rung()).toEqual(['jonas'])
    ringer.hosted('5932')
    expect(rung()).toEqual(['anna', 'jonas'])
  })

  it('rings nobody who was removed meanwhile, or listens elsewhere', () => {
    known.set('sora', contact('sora', { server: 'ws://b/v1' }))
    ringer.invite([id('anna'), id('sora'), id('nobody')])
    known.delete('anna')
    ringer.hosted('4821')
    expect(rung()).toEqual([])
    expect(invited).toMatchObject([{ contact: 'anna' }, { contact: 'sora', phase: 'elsewhere' }])
  })

  it('invites a bounded number, and leaves them room in what the server allows', () => {
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`)
    for (const name of names) known.set(name, contact(name))
    ringer.invite(names.map(id))
    expect(invited).toHaveLength(limits.contactsPerShare)
    ringer.hosted('4821')
    rung()
    clock.advance(60_000)
    expect(rung()).toEqual([])
    clock.advance(90_000)
    expect(rung()).toHaveLength(limits.contactsPerShare)
  })
})
