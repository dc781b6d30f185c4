import { describe, expect, it } from 'vitest'
import type { AppEvent } from '#shared/events'
import { limits } from '#shared/limits'
import { emptyState, type PeerId, type ReceiveId, type ShareId } from '#shared/state/app-state'
import {
  type Contact,
  type ContactId,
  contactNameSchema,
  decodeInvitation,
  encodeInvitation,
  findContact,
  summaryOf,
  uniqueName,
} from '#shared/state/contacts'
import { reduce } from '#shared/state/reduce'
import { oneFile } from '#shared/testing/figures'

const contact = (name: string, id = name): Contact => ({
  ...{ id: id as ContactId, name, server: 'ws://a/v1', addedMs: 1, lastSeenMs: null },
  autoAccept: null,
})

const bytes = (text: string): number => Buffer.byteLength(text)

describe('names of contacts', () => {
  it('are the wanted ones, or have a number appended', () => {
    const others = [contact('Anna'), contact('anna 2')]
    expect(uniqueName('Mina', others)).toBe('Mina')
    expect(uniqueName(' ANNA ', others)).toBe('ANNA 3')
    expect(uniqueName('  ', others)).toBe('Contact')
  })

  it('fit into their limit, whole characters only', () => {
    const long = '🏖'.repeat(40)
    const name = uniqueName(long, [])
    expect(bytes(name)).toBe(limits.peerNameBytes)
    const second = uniqueName(long, [contact(name)])
    expect(second.endsWith('🏖 2')).toBe(true)
    expect(bytes(second)).toBeLessThanOrEqual(limits.peerNameBytes)
    expect(contactNameSchema.safeParse(second).success).toBe(true)
  })

  it('are found whatever their case', () => {
    expect(findContact([contact('Anna')], ' anna ')?.name).toBe('Anna')
    expect(findContact([contact('Anna')], 'Ann')).toBeUndefined()
  })
})

describe('calls', () => {
  it('survive encoding and decoding', () => {
    const offer = { v: 1, nameplate: '4821', summary: 'photos · 3 files', atMs: 1 } as const
    const end = { v: 1, nameplate: '4821', ended: true, atMs: 2 } as const
    expect(decodeInvitation(encodeInvitation(offer))).toEqual(offer)
    expect(decodeInvitation(encodeInvitation(end))).toEqual(end)
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"v":2,"nameplate":"4821","summary":"","atMs":1}',
    '{"v":1,"nameplate":"0821","summary":"","atMs":1}',
    '{"v":1,"nameplate":"../..","summary":"","atMs":1}',
    '{"v":1,"nameplate":"4821","atMs":1}',
    '{"v":1,"nameplate":"4821","ended":false,"atMs":1}',
    '{"v":1,"nameplate":"4821","summary":""}',
    '{"v":1,"nameplate":"4821","summary":"","atMs":"1"}',
    `{"v":1,"nameplate":"4821","summary":"${'a'.repeat(201)}","atMs":1}`,
  ])('are nothing else: %s', (text) => {
    expect(decodeInvitation(text)).toBeNull()
  })

  it('have summaries that fit into a sealed message, whatever they are made of', () => {
    for (const part of ['"', '\\', '\u0000', '\ud800', '界', '🏖', 'a']) {
      const summary = summaryOf(part.repeat(1000))
      const call = { v: 1, nameplate: '482193', summary, atMs: 1_700_000_000_000 } as const
      expect(bytes(encodeInvitation(call))).toBeLessThanOrEqual(1024)
      expect(decodeInvitation(encodeInvitation(call))).toEqual(call)
    }
    expect(summaryOf('a\r\n\u001b[2Jb')).toBe('a [2Jb')
  })
})

describe('contacts in the state', () => {
  const anna = 'a'.repeat(32) as ContactId
  const share = 's1' as ShareId
  const peer = 'p1' as PeerId
  const receive = 'r1' as ReceiveId
  const after = (...events: readonly AppEvent[]) => events.reduce(reduce, emptyState('/downloads'))
  const opened: AppEvent = { atMs: 1, type: 'share-opened', share, title: 'a', maxReceivers: 1 }
  const invitation = (nameplate: string, summary = 'a') => ({
    ...{ contact: anna, nameplate, summary, arrivedMs: 1 },
  })

  it('are listed, with their reachability', () => {
    const { contacts, reachability } = after(
      { atMs: 1, type: 'contacts-changed', contacts: [contact('Anna')] },
      { atMs: 1, type: 'reachability-changed', reachability: { phase: 'on' } },
    )
    expect(contacts).toHaveLength(1)
    expect(reachability).toEqual({ phase: 'on' })
  })

  it('have one invitation for each share, the newest first, and not too many', () => {
    const arrived = (nameplate: string, summary?: string): AppEvent => ({
      ...{ atMs: 1, type: 'invitation-arrived' },
      invitation: invitation(nameplate, summary),
    })
    const { invitations } = after(arrived('1000'), arrived('2000'), arrived('1000', 'b'))
    expect(invitations).toEqual([invitation('1000', 'b'), invitation('2000')])
    const many = Array.from({ length: 150 }, (_, index) => arrived(`${1000 + index}`))
    expect(after(...many).invitations).toHaveLength(limits.invitationsShown)
    const removed = { atMs: 2, type: 'invitation-removed', contact: anna } as const
    expect(after(arrived('1000'), { ...removed, nameplate: '1000' }).invitations).toEqual([])
    expect(after(arrived('1000'), { ...removed, nameplate: '1001' }).invitations).toHaveLength(1)
  })

  it('are linked to their shares, receives and invitations', () => {
    const state = after(
      opened,
      { atMs: 1, type: 'share-invited', share, invited: [{ contact: anna, phase: 'away' }] },
      { atMs: 1, type: 'receiver-joined', share, peer, safety: '482913', contact: anna },
      {
        ...{ atMs: 1, type: 'receive-opened', receive, code: '', contact: anna },
        transfer: 'b'.repeat(32) as never,
      },
    )
    expect(state.shares[0]?.invited).toEqual([{ contact: anna, phase: 'away' }])
    expect(state.shares[0]?.receivers[0]?.contact).toBe(anna)
    expect(state.receives[0]?.contact).toBe(anna)
  })

  it('can be requested for as long as the other side is connected, also after the transfer', () => {
    const contactRequest = (value: 'possible' | 'sent' | 'accepted' | null): AppEvent => ({
      ...{ atMs: 3, type: 'receiver-contact-request-changed', share, peer, contactRequest: value },
    })
    const before: readonly AppEvent[] = [
      opened,
      { atMs: 1, type: 'receiver-joined', share, peer, safety: '482913' },
      contactRequest('possible'),
      { atMs: 2, type: 'receiver-finished', share, peer, outcome: oneFile },
      contactRequest('sent'),
    ]
    const receiverAfter = (...more: readonly AppEvent[]) =>
      after(...before, ...more).shares[0]?.receivers[0]
    expect(receiverAfter()).toMatchObject({ phase: 'done', contactRequest: 'sent' })
    expect(receiverAfter(contactRequest(null))).not.toHaveProperty('contactRequest')
    expect(receiverAfter(contactRequest('accepted'), contactRequest(null))).toMatchObject({
      contactRequest: 'accepted',
    })
  })
})
