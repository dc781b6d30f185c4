import { describe, expect, it } from 'vitest'
import { contactText, invitedText, keepingText } from '../contact-text'
import { jsonLine } from '../json-reporter'
import { PlainReporter } from '../plain-reporter'
import type { Terminal } from '../terminal'
import { emptyState, type ReceiveId, type ShareId } from '#shared/app-state'
import type { Contact, ContactId } from '#shared/contacts'
import type { AppEvent } from '#shared/events'

const anna: Contact = {
  ...{ id: 'a'.repeat(32) as ContactId, name: 'Anna', server: 'wss://meet.example.org/v1' },
  ...{ addedMs: 1, lastUsedMs: null, autoAccept: null },
}
const contact = anna.id
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
    ...{ canAsk: false, canDraw: false, out: () => undefined },
    note: (line) => notes.push(line),
    ask: () => Promise.resolve(false),
    choose: () => Promise.resolve(null),
  }
  const reporter = new PlainReporter(terminal)
  for (const event of events) reporter.tell(event, state)
  return notes
}

describe('contacts in words', () => {
  it('are one line each', () => {
    expect(contactText(anna)).toBe('Anna · asks · at meet.example.org')
    const autoAccept = { directory: '/media/anna' }
    expect(contactText({ ...anna, autoAccept })).toBe(
      'Anna · receives up to 100 GB into /media/anna · at meet.example.org',
    )
  })

  it('are told of once for each step', () => {
    const invited = (phase: 'ringing' | 'away' | 'told'): AppEvent => ({
      ...{ atMs: 1, type: 'share-invited', share, invited: [{ contact, phase }] },
    })
    expect(notesOf(invited('ringing'), invited('away'), invited('away'), invited('told'))).toEqual([
      'Anna is not there now: it is offered as soon as Anna is.',
      'Anna is asked.',
    ])
    expect(invitedText({ contact, phase: 'elsewhere' }, state)).toMatch('--server-url')
  })

  it('ask, and are kept', () => {
    expect(keepingText('Anna', 'wanted')).toMatch('--keep')
    expect(keepingText('Anna', 'possible')).toBeNull()
    const kept: AppEvent = { atMs: 1, type: 'receive-keeping-changed', receive, keeping: 'kept' }
    expect(notesOf(kept)).toEqual(['The sender is kept as a contact.'])
  })

  it('invite', () => {
    expect(notesOf(invitation)).toEqual(['Anna offers photos · 3 files.'])
  })
})

describe('contacts in JSON', () => {
  it('have their names and no more of themselves', () => {
    expect(jsonLine(invitation, state)).toEqual({
      ...{ type: 'invitation', contact: 'Anna', nameplate: '4821', summary: 'photos · 3 files' },
    })
    const invited: AppEvent = {
      ...{ atMs: 1, type: 'share-invited', share, invited: [{ contact, phase: 'told' }] },
    }
    expect(jsonLine(invited, state)).toEqual({
      ...{ type: 'invited', contacts: [{ contact: 'Anna', phase: 'told' }] },
    })
  })

  it('say how far keeping each other is, when somebody wants it', () => {
    const keeping = (value: 'possible' | 'asked' | null): AppEvent => ({
      ...{ atMs: 1, type: 'receive-keeping-changed', receive, keeping: value },
    })
    expect(jsonLine(keeping('possible'), state)).toBeNull()
    expect(jsonLine(keeping(null), state)).toBeNull()
    expect(jsonLine(keeping('asked'), state)).toEqual({ type: 'keeping', keeping: 'asked' })
  })
})
