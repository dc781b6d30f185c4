import { beforeEach, describe, expect, it } from 'vitest'
import type { StoredContact } from '#client/contacts/contact-file'
import { ContactInvitations } from '#client/contacts/contact-invitations'
import type { NewEvent } from '#client/state/state-log'
import { FakeEngine, fakeKey } from '#client/testing/fake-engine'
import { ManualClock } from '#client/testing/manual-clock'
import { limits } from '#shared/limits'
import { emptyState } from '#shared/state/app-state'
import { type ContactId, encodeInvitation, type Invitation } from '#shared/state/contacts'
import { reduce } from '#shared/state/reduce'

const mina: StoredContact = {
  ...{ id: 'a'.repeat(32) as ContactId, name: 'Mina', server: 'ws://a/v1' },
  ...{ addedMs: 1, lastSeenMs: null, autoAccept: null },
  ...{ publicKey: fakeKey('public-mina'), key: fakeKey('key-mina') },
}
const mailbox = fakeKey('mailbox')
const engine = new FakeEngine()
/** A message without its time. */
type Untimed = { readonly v: 1; readonly nameplate: string } & (
  { readonly summary: string } | { readonly ended: true }
)
const offer = (nameplate: string, summary = 'photos'): Untimed => ({ v: 1, nameplate, summary })
const startMs = new ManualClock().now()
const atStart = (call: Untimed): string => encodeInvitation({ ...call, atMs: startMs })
const minute = 60_000
const ownKey = fakeKey('own')

let clock: ManualClock
let owner: StoredContact | undefined
let taken: boolean
let accepted: Invitation[]
let state = emptyState('/downloads')
let events: NewEvent[]
let invitations: ContactInvitations

beforeEach(() => {
  clock = new ManualClock()
  owner = mina
  taken = false
  accepted = []
  sentAtMs = 0
  state = emptyState('/downloads')
  events = []
  invitations = new ContactInvitations({
    clock,
    open: ({ key }, sealed) => engine.openInvitation(key, ownKey, sealed),
    ownerOf: (asked) => (asked === mailbox ? owner : undefined),
    refresh: () => undefined,
    isTaken: () => taken,
    onAutoAccept: (invitation) => accepted.push(invitation),
    onSeen: (seen) => seenContacts.push(seen),
    record: (event) => {
      events.push(event)
      state = reduce(state, { ...event, atMs: clock.now() })
    },
  })
})

const seenContacts: ContactId[] = []
let sentAtMs = 0
/** The sealed message of a contact that notifies now. */
const sealed = (call: Untimed): string => {
  sentAtMs = Math.max(clock.now(), sentAtMs + 1)
  return engine.sealInvitation(mina.key, ownKey, encodeInvitation({ ...call, atMs: sentAtMs }))
}
const notify = (call: Untimed): boolean => invitations.receive(mailbox, sealed(call))
const nameplates = (): readonly string[] => state.invitations.map(({ nameplate }) => nameplate)

describe('an invitation', () => {
  it('is shown once, however often it is sent', () => {
    notify(offer('1000'))
    notify(offer('1000'))
    expect(events).toHaveLength(1)
    notify(offer('1000', 'photos · 3 files'))
    expect(state.invitations).toMatchObject([{ summary: 'photos · 3 files' }])
  })

  it('expires ten minutes after its sender last notified', () => {
    notify(offer('1000'))
    clock.advance(9 * minute)
    notify(offer('1000'))
    clock.advance(9 * minute)
    expect(nameplates()).toEqual(['1000'])
    clock.advance(minute)
    expect(nameplates()).toEqual([])
  })

  it('is gone when its sender withdraws it', () => {
    notify(offer('1000'))
    notify(offer('2000'))
    notify({ v: 1, nameplate: '1000', ended: true })
    expect(nameplates()).toEqual(['2000'])
  })

  it('stays hidden after an answer while it is sent again, but not forever', () => {
    notify(offer('1000'))
    invitations.markAnswered({ contact: mina.id, nameplate: '1000' })
    clock.advance(9 * minute)
    notify(offer('1000'))
    clock.advance(9 * minute)
    notify(offer('1000'))
    expect(nameplates()).toEqual([])
    clock.advance(10 * minute)
    notify(offer('1000'))
    expect(nameplates()).toEqual(['1000'])
  })

  it('is shown again after a failed acceptance', () => {
    notify(offer('1000'))
    invitations.markAnswered({ contact: mina.id, nameplate: '1000' })
    invitations.forgive({ contact: mina.id, nameplate: '1000' })
    notify(offer('1000'))
    expect(nameplates()).toEqual(['1000'])
  })

  it('to a share that is already being received is ignored', () => {
    taken = true
    notify(offer('1000'))
    expect(events).toEqual([])
  })

  it('of a contact with its own folder needs no answer, unless it was declined', () => {
    notify(offer('1000'))
    invitations.markAnswered({ contact: mina.id, nameplate: '1000' })
    owner = { ...mina, autoAccept: { directory: '/media/mina' } }
    notify(offer('1000'))
    notify(offer('2000'))
    expect(accepted).toMatchObject([{ nameplate: '2000' }])
    expect(nameplates()).toEqual([])
  })

  it('disappears with its contact', () => {
    notify(offer('1000'))
    invitations.retain(() => false)
    expect(nameplates()).toEqual([])
  })
})

describe('an invitation that the server repeats', () => {
  it('is ignored, even after it was withdrawn', () => {
    const first = sealed(offer('1000'))
    invitations.receive(mailbox, first)
    notify({ v: 1, nameplate: '1000', ended: true })
    clock.advance(11 * minute)
    invitations.receive(mailbox, first)
    expect(nameplates()).toEqual([])
    notify(offer('1000'))
    expect(nameplates()).toEqual(['1000'])
  })

  it('does not keep one alive that its sender no longer renews', () => {
    const first = sealed(offer('1000'))
    invitations.receive(mailbox, first)
    for (let times = 0; times < 3; times += 1) {
      clock.advance(5 * minute)
      invitations.receive(mailbox, first)
    }
    expect(nameplates()).toEqual([])
  })

  it('does not begin a receive automatically', () => {
    owner = { ...mina, autoAccept: { directory: '/media/mina' } }
    const first = sealed(offer('1000'))
    invitations.receive(mailbox, first)
    invitations.receive(mailbox, first)
    expect(accepted).toHaveLength(1)
  })

  it('does not withdraw a later one if it is an old end', () => {
    const end = sealed({ v: 1, nameplate: '1000', ended: true })
    invitations.receive(mailbox, end)
    notify(offer('1000'))
    invitations.receive(mailbox, end)
    expect(nameplates()).toEqual(['1000'])
  })

  it('is ignored if it arrives a day late', () => {
    const late = sealed(offer('1000'))
    clock.advance(24 * 60 * minute + 1)
    invitations.receive(mailbox, late)
    expect(events).toEqual([])
  })

  it('is ignored however many others arrived since', () => {
    const first = sealed(offer('1000'))
    invitations.receive(mailbox, first)
    for (let index = 1; index <= limits.invitationsShown + 10; index += 1) {
      if (index % 5 === 0) clock.advance(minute)
      notify(offer(`${1000 + index}`))
    }
    clock.advance(11 * minute)
    invitations.receive(mailbox, first)
    expect(nameplates()).toEqual([])
  })
})

describe('an invalid invitation', () => {
  it.each([
    ['not sealed', 'aGVsbG8='],
    [
      'sealed with another key',
      engine.sealInvitation(fakeKey('key-eve'), ownKey, atStart(offer('1000'))),
    ],
    [
      'sealed by this side for the contact, and put back by the server',
      engine.sealInvitation(mina.key, mina.publicKey, atStart(offer('1000'))),
    ],
    ['not JSON', engine.sealInvitation(mina.key, ownKey, 'hello')],
    ['of another version', engine.sealInvitation(mina.key, ownKey, '{"v":2,"nameplate":"1000"}')],
    ['without a nameplate', engine.sealInvitation(mina.key, ownKey, '{"v":1,"summary":"a"}')],
  ])('changes nothing: %s', (_what, body) => {
    invitations.receive(mailbox, body)
    expect(events).toEqual([])
  })

  it('changes nothing: in an unknown mailbox', () => {
    invitations.receive(
      fakeKey('other'),
      engine.sealInvitation(mina.key, ownKey, atStart(offer('1000'))),
    )
    expect(events).toEqual([])
  })
})

describe('too many notifications', () => {
  it('of one contact within a minute are ignored', () => {
    for (let index = 0; index < 20; index += 1) notify(offer(`${1000 + index}`))
    expect(state.invitations).toHaveLength(10)
    clock.advance(minute)
    notify(offer('2000'))
    expect(state.invitations).toHaveLength(11)
  })

  it('over a long time leave a bounded number of invitations, the newest', () => {
    for (let index = 0; index < limits.invitationsShown + 20; index += 1) {
      notify(offer(`${1000 + index}`))
      notify(offer(`${1000 + index}`))
      if (index % 5 === 4) clock.advance(minute / 60)
      owner = { ...mina, id: `${index % 30}`.padStart(32, 'b') as ContactId }
    }
    expect(state.invitations).toHaveLength(limits.invitationsShown)
  })
})

it('has no timer left when it is closed', () => {
  notify(offer('1000'))
  invitations.close()
  expect(clock.delays).toEqual([])
})
