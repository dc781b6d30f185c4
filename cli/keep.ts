/** Keeping the other side of a transfer as a contact, when the command line asks for it. */
import type { Client } from '#client/client'
import { until } from '#client/until'
import type { PeerId, ReceiveId, ShareId } from '#shared/app-state'
import type { Keeping } from '#shared/contacts'

/** Of `host` and `join`. */
export type KeepOptions = { readonly keep?: boolean; readonly keepAs?: string }

type Peer = { readonly share: ShareId; readonly peer: PeerId } | { readonly receive: ReceiveId }

/**
 * Offers to keep everybody who connects, once each; it happens when they want it, too. To be waited for
 * before anybody does: a short transfer can be over before a slow disk has this installation's key.
 */
export async function keepOthers(client: Client, { keep, keepAs }: KeepOptions): Promise<void> {
  if (keep !== true && keepAs === undefined) return
  await client.contacts.prepare()
  const asked = new Set<string>()
  client.subscribe(() => {
    for (const peer of keepable(client)) {
      const key = JSON.stringify(peer)
      if (asked.has(key)) continue
      asked.add(key)
      void client.contacts.keep(peer, keepAs)
    }
  })
}

/** Waits for the other side's word about keeping each other, as long as it is connected. */
export async function untilKept(client: Client, receive: ReceiveId): Promise<void> {
  await until(client, ({ receives }) => {
    const keeping = receives.find(({ id }) => id === receive)?.keeping
    return keeping === 'asked' ? null : true
  })
}

function keepable(client: Client): readonly Peer[] {
  const { shares, receives } = client.snapshot().state
  const receivers = shares.flatMap(({ id, receivers: all }) =>
    all.filter(isKeepable).map(({ peer }) => ({ share: id, peer })),
  )
  return [...receivers, ...receives.filter(isKeepable).map(({ id }) => ({ receive: id }))]
}

const isKeepable = ({ keeping }: { readonly keeping?: Keeping }): boolean =>
  keeping === 'possible' || keeping === 'wanted'
