import { describe, expect, it } from 'vitest'
import type { PeerId } from '#shared/state/app-state'
import type { Contact, ContactId } from '#shared/state/contacts'
import { belongsToField } from '../store/code-field'
import {
  candidates,
  contactName,
  contactSummary,
  invitationSentence,
  invitedSentence,
  lastSeen,
  matching,
  peopleAtHome,
  questions,
  waitedFor,
} from '../view/contact-view'
import { receiveTitle } from '../view/receive-view'
import { stackIds } from '../view/stack'
import { now, receive, receiver, share } from './states'

const server = 'wss://meet.example.org/v1'
const idOf = (name: string) => name as ContactId
const contact = (name: string, more: Partial<Contact> = {}): Contact => ({
  ...{ id: idOf(name), name, server, addedMs: now, lastSeenMs: null, autoAccept: null },
  ...more,
})
const anna = contact('Anna')
const connected = { phase: 'connected', url: server, embedded: false, insecure: false } as const

describe('an invitation', () => {
  it('escapes invisible characters in the words of a contact', () => {
    const invitation = { ...{ contact: anna.id, nameplate: '4821' }, arrivedMs: now }
    expect(invitationSentence({ ...invitation, summary: 'a\u202eb' }).lead).toBe('a\\u{202e}b')
  })
})

describe('a contact', () => {
  it('is shown with its name and the handling of its offers', () => {
    expect(contactName([anna], idOf('Anna'))).toBe('Anna')
    expect(contactName([], idOf('Anna'))).toBe('')
    expect(contactSummary(anna, now).rest).toEqual(['Asks before receiving'])
    const summary = (maxBytes?: number) =>
      contactSummary(contact('NAS', { autoAccept: { directory: '/media/x', maxBytes } }), now).rest
    expect(summary()).toEqual(['Saves up to 100 GB automatically to /media/x'])
    expect(summary(0)).toEqual(['Saves up to 0 B automatically to /media/x'])
  })

  it('that has removed this side is shown with a warning, and not at home', () => {
    const gone = contact('Gone', { removedYou: true })
    expect(contactSummary(gone, now)).toMatchObject({
      lead: 'This contact removed you',
      tone: 'warning',
    })
    const seen = contact('Seen', { lastSeenMs: now - 5 })
    const latest = contact('Latest', { lastSeenMs: now })
    expect(peopleAtHome([anna, gone, seen, latest])).toEqual([latest, seen, anna])
  })

  it('was last seen a number of calendar days ago', () => {
    const noon = new Date(2026, 2, 10, 12).getTime()
    const at = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime()
    const seen = (lastSeenMs: number) => lastSeen(contact('A', { lastSeenMs }), noon)
    expect(lastSeen(anna, noon)).toBe('Never seen online')
    expect(seen(at(10, 1))).toBe('Last seen today')
    expect(seen(at(9, 23))).toBe('Last seen yesterday')
    expect(seen(at(1, 23))).toBe('Last seen 9 days ago')
  })
})

describe('candidates for a share', () => {
  const all = [anna, contact('Jonas'), contact('Sora', { server: 'wss://b.example/v1' })]
  const chooseable = (invited = share().invited) =>
    candidates({ contacts: all, server: connected }, share({ ...(invited && { invited }) }), now)

  it('are all contacts that listen at its server', () => {
    expect(chooseable().map(({ canChoose }) => canChoose)).toEqual([true, true, false])
    expect(chooseable()[2]?.words).toMatch('b.example')
  })

  it('exclude those that it was sent to, but not earlier receivers', () => {
    const invited = [
      { contact: idOf('Anna'), phase: 'away' },
      { contact: idOf('Jonas'), phase: 'joined' },
    ] as const
    expect(chooseable(invited).map(({ canChoose }) => canChoose)).toEqual([false, true, false])
    expect(waitedFor(share({ invited }))).toEqual([invited[0]])
    const deciding = receiver({ contact: idOf('Anna'), phase: 'deciding' })
    expect(waitedFor(share({ invited, receivers: [deciding] }))).toEqual([])
    const left = receiver({ contact: idOf('Anna'), phase: 'failed' })
    expect(waitedFor(share({ invited, receivers: [left] }))).toEqual([invited[0]])
    expect(invitedSentence(invited[0])).toMatchObject({ lead: 'Offline' })
  })

  it('are found by a part of their name', () => {
    expect(matching(chooseable(), ' jO').map(({ contact: { name } }) => name)).toEqual(['Jonas'])
  })
})

describe('open questions', () => {
  const invitation = {
    ...{ contact: idOf('Anna'), nameplate: '4821', summary: 'photos', arrivedMs: now },
  }
  const wanted = receiver({ contactRequest: 'received', peer: 'p1' as PeerId })
  const state = {
    invitations: [invitation],
    nearbyQuestions: [
      {
        id: 'n1',
        name: 'Sora',
        summary: '',
        safety: '1',
        phase: 'asking' as const,
        arrivedMs: now,
      },
    ],
    shares: [share({ receivers: [wanted, receiver({ peer: 'p2' as PeerId })] })],
    receives: [receive({ contactRequest: 'received' })],
  }

  it('are invitations, nearby computers, then contact requests', () => {
    expect(questions(state, []).map(({ kind, id }) => [kind, id])).toEqual([
      ['invitation', 'Anna 4821'],
      ['nearby', 'n1'],
      ['contact-request', 's1 p1'],
      ['contact-request', 'r1'],
    ])
  })

  it('are receivers that wait to be let in first', () => {
    const asking = receiver({ phase: 'approving', peer: 'p3' as PeerId })
    const [first, second] = questions({ ...state, shares: [share({ receivers: [asking] })] }, [])
    expect(first).toMatchObject({ kind: 'receiver', id: 'asks s1 p3', receiver: asking })
    expect(second?.kind).toBe('invitation')
  })

  it('exclude those that were refused here', () => {
    expect(questions(state, ['s1 p1', 'r1'])).toHaveLength(2)
  })
})

describe('an offer of a contact', () => {
  const offer = receive({ phase: 'looking-up', title: '', code: '4821', contact: idOf('Anna') })

  it('is not shown at the code field, and has no code as its title', () => {
    expect(belongsToField(offer)).toBe(false)
    expect(receiveTitle(offer)).toBe('From a contact')
    expect(stackIds({ shares: [], receives: [offer] })).toEqual(['r1'])
  })

  it('goes to the field if it came by a code', () => {
    const { contact: _none, ...byCode } = offer
    expect(belongsToField(byCode)).toBe(true)
    expect(stackIds({ shares: [], receives: [byCode] })).toEqual([])
  })
})
