/** Asks the user about receivers that wait for approval. */
import type { Client } from '#client/client'
import { formatSafety } from '#shared/format/format'
import type { PeerId, Receiver, ShareId } from '#shared/state/app-state'
import { namedReceiver } from '../report/state-lookup'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

/** True if a person can be asked about receivers. */
export const canApprove = (
  terminal: Pick<Terminal, 'canAsk'>,
  json: boolean | undefined,
): boolean => terminal.canAsk && json !== true

/** Asks about waiting receivers, one at a time, while `client` runs. */
export function askAboutReceivers(client: Client, terminal: Terminal): void {
  const asked = new Set<PeerId>()
  client.subscribe(() => {
    for (const { id, receivers } of client.snapshot().state.shares) {
      for (const receiver of receivers) {
        if (receiver.phase !== 'approving' || asked.has(receiver.peer)) continue
        asked.add(receiver.peer)
        void askAbout(client, id, receiver, terminal)
      }
    }
  })
}

/** The question ends when the receiver leaves or no longer waits. */
async function askAbout(
  client: Client,
  share: ShareId,
  receiver: Receiver,
  terminal: Terminal,
): Promise<void> {
  const gone = new AbortController()
  const isAsking = (): boolean =>
    client
      .snapshot()
      .state.shares.some(({ receivers }) =>
        receivers.some(({ peer, phase }) => peer === receiver.peer && phase === 'approving'),
      )
  const unsubscribe = client.subscribe(() => {
    if (!isAsking()) gone.abort()
  })
  const name = namedReceiver(client.snapshot().state, receiver)
  const question = text.prompt.letIn(name, formatSafety(receiver.safety))
  const approved = await terminal.ask(question, gone.signal)
  unsubscribe()
  if (!gone.signal.aborted) client.shares.get(share)?.answer(receiver.peer, approved)
}
