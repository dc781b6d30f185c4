import { describe, expect, it } from 'vitest'
import type { AppEvent } from '#shared/events'
import { ok } from '#shared/result'
import { emptyState, type ReceiveId, type ShareId } from '#shared/state/app-state'
import type { Contact, ContactId } from '#shared/state/contacts'
import { addresseesOf, withMembers } from '../../commands/contacts'
import { contactLine, contactRequestLine, invitedLine } from '../../report/contact-text'
import { jsonLine } from '../../report/json-reporter'
import { PlainReporter } from '../../report/plain-reporter'
import type { Terminal } from '../../terminal/terminal'

const anna: Contact = {
  ...{ id: 'a'.repeat(32) as ContactId, name: 'Anna', server: 'wss://meet.example.org/v1' },
  ...{ addedMs: 1, lastSeenMs: null, autoAccept: null },
}
const contact = anna.id
const now = new Date(2026, 2, 10, 12).getTime()
const share = 's1' as ShareId
const receive = 'r1' as ReceiveId
const state = { ...emptyState('/downloads'), contacts: [anna] }
const invitation: AppEvent = {
  ...{ atMs: 1, type: 'invitation-arrived' },
  invitation: { contact, nameplate: '4821', summary: 'photos · 3 files', arrivedMs: 1 },
}

function notesOf(...events: readonly AppEvent[]): readonly string[] {
  const notes: string[] = []
  const terminal: Terminal = {
    ...{ canAsk: false, canDraw: false, columns: 80, isAsking: false },
    out: () => undefined,
    note: (line) => notes.push(line),
    ask: () => Promise.resolve(false),
    choose: () => Promise.resolve(null),
    readLine: () => Promise.resolve(null),
    readKeys: () => false,
  }
  const reporter = new PlainReporter(terminal)
  for (const event of events) reporter.report(event, state)
  return notes
}

describe('contacts in words', () => {
  it('are one line each', () => {
    expect(contactLine(anna, now)).toBe('Anna · asks before receiving · uses meet.example.org')
    const autoAccept = { directory: '/media/anna' }
    expect(contactLine({ ...anna, autoAccept }, now)).toBe(
      'Anna · saves up to 100 GB automatically to /media/anna · uses meet.example.org',
    )
  })

  it('name their groups', () => {
    const line = contactLine({ ...anna, groups: ['Family', 'Work'] }, now)
    expect(line).toMatch(/ · in Family, Work$/)
  })

  it('stand for the members of a group, unless a contact has its name', () => {
    const bea = {
      ...anna,
      id: 'b'.repeat(32) as ContactId,
      name: 'Bea',
      groups: ['Family', 'Anna'],
    }
    const all = [{ ...anna, groups: ['Family'] }, bea]
    expect(withMembers(all, ['family', 'Bea', 'Noor'])).toEqual(['Anna', 'Bea', 'Noor'])
    expect(withMembers(all, ['anna'])).toEqual(['anna'])
  })

  it('say when the contact was online, or that it removed this side', () => {
    const seen = (days: number) =>
      contactLine({ ...anna, lastSeenMs: now - days * 86_400_000 }, now)
    expect(seen(0)).toMatch(/ · last seen today$/)
    expect(seen(1)).toMatch(/ · last seen 1 day ago$/)
    expect(seen(3)).toMatch(/ · last seen 3 days ago$/)
    expect(contactLine({ ...anna, removedYou: true }, now)).toBe('Anna · removed you')
  })

  it('are reported once for each step', () => {
    const invited = (phase: 'notifying' | 'away' | 'notified'): AppEvent => ({
      ...{ atMs: 1, type: 'share-invited', share, invited: [{ contact, phase }] },
    })
    expect(
      notesOf(invited('notifying'), invited('away'), invited('away'), invited('notified')),
    ).toEqual(['Anna is offline and will be notified when online.', 'Anna was notified.'])
    expect(invitedLine({ contact, phase: 'elsewhere' }, state)).toBe(
      'Anna uses another server. To reach Anna, use --server-url wss://meet.example.org',
    )
  })

  it('ask, and are added', () => {
    expect(contactRequestLine('Anna', 'received')).toMatch('--keep')
    expect(contactRequestLine('Anna', 'possible')).toBeNull()
    const added: AppEvent = {
      atMs: 1,
      type: 'receive-contact-request-changed',
      receive,
      contactRequest: 'accepted',
    }
    expect(notesOf(added)).toEqual([
      'The sender is in your contacts now. You can send to each other without a code.',
    ])
  })

  it('invite', () => {
    expect(notesOf(invitation)).toEqual(['Anna offers photos · 3 files.'])
  })
})

describe('the contacts that a share is sent to', () => {
  const bea: Contact = { ...anna, id: 'b'.repeat(32) as ContactId, name: 'Bea' }
  const local: Contact = { ...bea, name: 'Cal', server: 'ws://127.0.0.1:41480/v1' }

  it('choose the server on which they listen', () => {
    expect(addresseesOf([anna, bea], ['anna', 'Bea'], undefined)).toEqual(
      ok({ ids: [anna.id, bea.id], others: [], serverUrl: 'wss://meet.example.org/v1' }),
    )
  })

  it("keep this computer's server and a chosen one", () => {
    expect(addresseesOf([local], ['Cal'], undefined)).toMatchObject({
      value: { serverUrl: undefined },
    })
    expect(addresseesOf([anna], ['Anna'], 'ws://other')).toMatchObject({
      value: { serverUrl: 'ws://other' },
    })
    expect(addresseesOf([], [], undefined)).toEqual(
      ok({ ids: [], others: [], serverUrl: undefined }),
    )
  })

  it('may be nearby computers, if their names are unknown', () => {
    expect(addresseesOf([anna], ['Bob', 'Anna'], undefined)).toMatchObject({
      value: { ids: [anna.id], others: ['Bob'] },
    })
  })

  it('are refused if they use different servers', () => {
    expect(addresseesOf([anna, local], ['Anna', 'Cal'], undefined)).toMatchObject({
      error: { detail: expect.stringContaining('different servers') as string },
    })
  })
})

describe('contacts in JSON', () => {
  it('contain names, but no keys', () => {
    expect(jsonLine(invitation, state)).toEqual({
      ...{ type: 'invitation', contact: 'Anna', nameplate: '4821', summary: 'photos · 3 files' },
    })
    const invited: AppEvent = {
      ...{ atMs: 1, type: 'share-invited', share, invited: [{ contact, phase: 'notified' }] },
    }
    expect(jsonLine(invited, state)).toEqual({
      ...{ type: 'invited', contacts: [{ contact: 'Anna', phase: 'notified' }] },
    })
  })

  it('show the state of a contact request once someone has made one', () => {
    const contactRequest = (value: 'possible' | 'sent' | null): AppEvent => ({
      ...{ atMs: 1, type: 'receive-contact-request-changed', receive, contactRequest: value },
    })
    expect(jsonLine(contactRequest('possible'), state)).toBeNull()
    expect(jsonLine(contactRequest(null), state)).toBeNull()
    expect(jsonLine(contactRequest('sent'), state)).toEqual({
      type: 'contact-request',
      state: 'sent',
    })
  })
})
