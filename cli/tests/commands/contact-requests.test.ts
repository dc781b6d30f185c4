import { describe, expect, it, vi } from 'vitest'
import type { Client } from '#client/client'
import type { AppEvent } from '#shared/events'
import { emptyState, type ReceiveId, type TransferId } from '#shared/state/app-state'
import type { ContactRequest } from '#shared/state/contacts'
import { reduce } from '#shared/state/reduce'
import { contactRequestAnswered, requestContacts } from '../../commands/contact-requests'
import type { ReportFlags } from '../../options/flags'
import { PlainReporter } from '../../report/plain-reporter'
import type { Terminal } from '../../terminal/terminal'
import type { Question } from '../../text/prompts'
import { report } from '../paper'

const receive = 'r1' as ReceiveId
const opened: AppEvent = {
  ...{ atMs: 1, type: 'receive-opened', receive, code: '4821-apple-river-stone' },
  transfer: 'a'.repeat(32) as TransferId,
}
const contactRequest = (value: ContactRequest | null): AppEvent => ({
  ...{ atMs: 1, type: 'receive-contact-request-changed', receive, contactRequest: value },
})

function fakeClient() {
  const request = vi.fn(() => Promise.resolve())
  const prepare = vi.fn(() => Promise.resolve())
  const listeners: (() => void)[] = []
  let state = emptyState('/downloads')
  const client = {
    contacts: { request, prepare },
    snapshot: () => ({ seq: 0, state }),
    subscribe: (listener: () => void) => {
      listeners.push(listener)
      return () => undefined
    },
  } as unknown as Client
  const play = (...events: readonly AppEvent[]): void => {
    for (const event of events) state = reduce(state, event)
    for (const listener of listeners) listener()
  }
  return { client, request, prepare, play }
}

const nobody = { canAsk: false } as unknown as Terminal

/** A person who gives this answer, and the questions asked. */
function person(says: boolean) {
  const ask = vi.fn((_question: Question) => Promise.resolve(says))
  return { terminal: { canAsk: true, ask } as unknown as Terminal, ask }
}

describe('without --keep', () => {
  it.each([true, false])('a person is asked about a request, and decides: %s', async (says) => {
    const { client, request, play } = fakeClient()
    const { terminal, ask } = person(says)
    const answered = await requestContacts(client, {}, terminal)
    play(opened, contactRequest('possible'))
    expect(ask).not.toHaveBeenCalled()
    play(contactRequest('received'))
    play(contactRequest('received'))
    await answered()
    expect(ask.mock.calls.map(([{ ask: question }]) => question)).toEqual([
      'The sender wants to add you as a contact. Add The sender too?',
    ])
    expect(request.mock.calls).toEqual(says ? [[{ receive }]] : [])
  })

  it('no person is asked on behalf of a program', async () => {
    const { client, play } = fakeClient()
    const { terminal, ask } = person(true)
    await requestContacts(client, { json: true }, terminal)
    play(opened, contactRequest('received'))
    expect(ask).not.toHaveBeenCalled()
  })
})

describe('--keep', () => {
  it('sends one request to each connected peer once its own key exists', async () => {
    const { client, request, prepare, play } = fakeClient()
    await requestContacts(client, { keep: true }, nobody)
    expect(prepare).toHaveBeenCalledOnce()
    play(opened)
    expect(request).not.toHaveBeenCalled()
    play(contactRequest('possible'))
    play(contactRequest('received'))
    expect(request.mock.calls).toEqual([[{ receive }]])
  })

  it('sends no request without the option', async () => {
    const { client, request, prepare, play } = fakeClient()
    await requestContacts(client, {}, nobody)
    play(opened, contactRequest('received'))
    expect(request).not.toHaveBeenCalled()
    expect(prepare).not.toHaveBeenCalled()
  })

  it.each(['accepted', null] as const)('waits for the answer until it is %s', async (end) => {
    const { client, play } = fakeClient()
    play(opened, contactRequest('sent'))
    const waiting = contactRequestAnswered(client, receive)
    let isOver = false
    void waiting.then(() => (isOver = true))
    await Promise.resolve()
    expect(isOver).toBe(false)
    play(contactRequest(end))
    await waiting
  })
})

it('a request that --keep answers prints no hint', () => {
  const notes = (flags: ReportFlags) => {
    const heard = [opened, contactRequest('received')]
    return report((terminal) => new PlainReporter(terminal, flags), heard).notes.join()
  }
  expect(notes({})).toContain('Run the command with --keep')
  expect(notes({ keep: true })).not.toContain('--keep')
})
