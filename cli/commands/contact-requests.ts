/** Adds the other side of a transfer as a contact when the options or a person ask for it. */
import type { Client } from '#client/client'
import { waitForState } from '#client/wait-for-state'
import type { AppState, OtherSide, ReceiveId } from '#shared/state/app-state'
import type { ContactRequest } from '#shared/state/contacts'
import { receiverName, senderName } from '../report/state-lookup'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

/** Options of `host` and `join` about contacts. */
export type ContactOptions = {
  readonly keep?: boolean
  readonly json?: boolean
}

/** The other side of a transfer, which can become a contact. */
type Candidate = {
  readonly side: OtherSide
  readonly name: string
  readonly contactRequest: ContactRequest
}

/**
 * Sends one contact request to each connected peer with `--keep`, and otherwise asks this user
 * about each incoming request. Await this before accepting connections: a short transfer can end
 * before a slow disk has read the installation's key. The result resolves when no question is open.
 */
export async function requestContacts(
  client: Client,
  { keep, json }: ContactOptions,
  terminal: Terminal,
): Promise<() => Promise<void>> {
  const offers = keep === true
  const asks = terminal.canAsk && json !== true
  const questions = new Set<Promise<void>>()
  const answered = async (): Promise<void> => {
    await Promise.all(questions)
  }
  if (!offers && !asks) return answered
  if (offers) await client.contacts.prepare()
  const seen = new Set<string>()
  client.subscribe(() => {
    for (const candidate of candidatesIn(client.snapshot().state)) {
      const key = JSON.stringify(candidate.side)
      if (seen.has(key) || (!offers && candidate.contactRequest !== 'received')) continue
      seen.add(key)
      if (offers) void client.contacts.request(candidate.side)
      else questions.add(askAbout(client, candidate, terminal))
    }
  })
  return answered
}

/** The question ends when the other side leaves. */
async function askAbout(
  client: Client,
  { side, name }: Candidate,
  terminal: Terminal,
): Promise<void> {
  const gone = new AbortController()
  const key = JSON.stringify(side)
  const unsubscribe = client.subscribe(() => {
    const all = candidatesIn(client.snapshot().state)
    if (!all.some((one) => JSON.stringify(one.side) === key)) gone.abort()
  })
  const isWanted = await terminal.ask(text.prompt.addContact(name), gone.signal)
  unsubscribe()
  if (!isWanted) return
  await client.contacts.request(side)
  if ('receive' in side) await contactRequestAnswered(client, side.receive)
}

/** Waits for the other side's answer to a contact request while it is connected. */
export async function contactRequestAnswered(client: Client, receive: ReceiveId): Promise<void> {
  await waitForState(client, ({ receives }) => {
    const contactRequest = receives.find(({ id }) => id === receive)?.contactRequest
    return contactRequest === 'sent' ? null : true
  })
}

function candidatesIn(state: AppState): readonly Candidate[] {
  const candidate = (
    side: OtherSide,
    name: string,
    contactRequest?: ContactRequest,
  ): readonly Candidate[] =>
    contactRequest === 'possible' || contactRequest === 'received'
      ? [{ side, name, contactRequest }]
      : []
  const receivers = state.shares.flatMap(({ id, receivers: all }) =>
    all.flatMap((one) =>
      candidate({ share: id, peer: one.peer }, receiverName(state, one), one.contactRequest),
    ),
  )
  const senders = state.receives.flatMap((one) =>
    candidate({ receive: one.id }, senderName(state, one), one.contactRequest),
  )
  return [...receivers, ...senders]
}
