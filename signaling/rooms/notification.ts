/** What a host has for a mailbox; its share goes on whatever comes of it. */
import type { ClientMessage } from '#shared/signaling/messages'
import type { ConnectionId } from '#signaling/rooms/rooms'
import { StoreError } from '#signaling/rooms/store-error'
import type { ConnectionContext } from '#signaling/socket/connection-context'

/** Who notifies, from where, and of which nameplate. */
export type Notifier = {
  readonly id: ConnectionId
  readonly address: string
  readonly nameplate: string
}

/** Brings a body to whoever listens on a mailbox, and the answer to the host; without one when it is refused. */
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
