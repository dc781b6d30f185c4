/** Adding the other side of a transfer as a contact, when the options or a person say so. */
import { receiverName, senderName } from './state-lookup'
import type { Terminal } from './terminal'
import { text } from './text'
import type { Client } from '#client/client'
import { until } from '#client/until'
import type { AppState, PeerId, ReceiveId, ShareId } from '#shared/app-state'
import type { Keeping } from '#shared/contacts'

/** What `host` and `join` say about contacts. */
export type KeepOptions = {
  readonly keep?: boolean
  readonly keepAs?: string
  readonly json?: boolean
}

type Peer = { readonly share: ShareId; readonly peer: PeerId } | { readonly receive: ReceiveId }

/** Somebody who may become a contact. */
type Candidate = { readonly peer: Peer; readonly name: string; readonly keeping: Keeping }

/**
 * With `--keep`, offers everybody who connects to add each other, once each; else asks the person here
 * about everybody who offers it. Await this before anybody connects: a short transfer can be over
 * before a slow disk has this installation's key. The result resolves when no question is open.
 */
export async function keepOthers(
  client: Client,
  { keep, keepAs, json }: KeepOptions,
  terminal: Terminal,
): Promise<() => Promise<void>> {
  const offers = keep === true || keepAs !== undefined
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
      const key = JSON.stringify(candidate.peer)
      if (seen.has(key) || (!offers && candidate.keeping !== 'wanted')) continue
      seen.add(key)
      if (offers) void client.contacts.keep(candidate.peer, keepAs)
      else questions.add(askAbout(client, candidate, terminal))
    }
  })
  return answered
}

/** The question ends when the other side leaves. */
async function askAbout(
  client: Client,
  { peer, name }: Candidate,
  terminal: Terminal,
): Promise<void> {
  const gone = new AbortController()
  const key = JSON.stringify(peer)
  const unsubscribe = client.subscribe(() => {
    const all = candidatesIn(client.snapshot().state)
    if (!all.some((one) => JSON.stringify(one.peer) === key)) gone.abort()
  })
  const isWanted = await terminal.ask(text.prompt.addContact(name), gone.signal)
  unsubscribe()
  if (!isWanted) return
  await client.contacts.keep(peer)
  if ('receive' in peer) await untilKept(client, peer.receive)
}

/** Waits for the other side's word about adding each other, as long as it is connected. */
export async function untilKept(client: Client, receive: ReceiveId): Promise<void> {
  await until(client, ({ receives }) => {
    const keeping = receives.find(({ id }) => id === receive)?.keeping
    return keeping === 'asked' ? null : true
  })
}

function candidatesIn(state: AppState): readonly Candidate[] {
  const candidate = (peer: Peer, name: string, keeping?: Keeping): readonly Candidate[] =>
    keeping === 'possible' || keeping === 'wanted' ? [{ peer, name, keeping }] : []
  const receivers = state.shares.flatMap(({ id, receivers: all }) =>
    all.flatMap((one) =>
      candidate({ share: id, peer: one.peer }, receiverName(state, one), one.keeping),
    ),
  )
  const senders = state.receives.flatMap((one) =>
    candidate({ receive: one.id }, senderName(state, one), one.keeping),
  )
  return [...receivers, ...senders]
}
