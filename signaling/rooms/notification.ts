/** Sends a host's message to a mailbox; its share continues whatever the result. */
import type { ClientMessage } from '#shared/signaling/messages'
import type { ConnectionId } from '#signaling/rooms/rooms'
import { StoreError } from '#signaling/rooms/store-error'
import type { ConnectionContext } from '#signaling/socket/connection-context'

/** The notifying host, its address and its nameplate. */
export type Notifier = {
  readonly id: ConnectionId
  readonly address: string
  readonly nameplate: string
}

/** Delivers a body to the listeners of a mailbox and the result to the host; a refusal delivers only an error. */
export async function notify(
  { id, address, nameplate }: Notifier,
  { mailbox, body }: Extract<ClientMessage, { readonly t: 'notify' }>,
  { admission, mailboxes, rendezvous }: ConnectionContext,
): Promise<'reached' | 'unheard' | 'refused'> {
  try {
    if (!(await admission.may('notifications', address))) return 'refused'
    const pass = await rendezvous.invite(nameplate)
    return (await mailboxes.notify(id, mailbox, body, pass)) ? 'reached' : 'unheard'
  } catch (reason) {
    if (!(reason instanceof StoreError)) throw reason
    return 'refused'
  }
}
