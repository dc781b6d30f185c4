/** A stream that `thru host` shares, from its first receiver to the end of its producer. */
import type { Client } from '#client/client'
import { systemClock } from '#client/clock'
import { waitForState } from '#client/wait-for-state'
import { withTimeout } from '#client/with-timeout'
import type { AppError } from '#shared/errors'
import { hasEnded, type PeerId, type Share, type ShareId } from '#shared/state/app-state'
import type { Producer } from './producer'

/** Time for receivers to learn that the stream is broken. */
const farewellMs = 5000

/** The number of receivers that a stream waits for, and its producer if this program runs one. */
export type Streamed = { readonly receivers: number; readonly producer: Producer | null }

/**
 * Resolves with the share and the receivers of the stream once the last of them has ended. No one can
 * join by then.
 */
export async function streamServed(client: Client, receivers: number): Promise<Share> {
  const fed = new Set<PeerId>()
  await waitForState(client, ({ shares }) => {
    const present =
      shares[0]?.receivers.filter(
        ({ acceptedAtMs, error }) => acceptedAtMs !== undefined && error === null,
      ) ?? []
    if (present.length < receivers) return undefined
    for (const { peer } of present) fed.add(peer)
    return true
  })
  const ofStream = (share: Share): Share => ({
    ...share,
    receivers: share.receivers.filter(({ peer }) => fed.has(peer)),
  })
  return waitForState(client, ({ shares: [share] }) =>
    share !== undefined && ofStream(share).receivers.every(hasEnded) ? ofStream(share) : undefined,
  )
}

/** Reports the producer's end to the share; resolves once a failure has reached all receivers. */
export async function producerFailed(
  client: Client,
  share: ShareId,
  { ended }: Producer,
): Promise<AppError> {
  const failure = await ended
  client.shares.get(share)?.endStream(failure === null)
  if (failure === null) return new Promise(() => undefined)
  const told = waitForState(client, ({ shares }) =>
    shares.every(({ receivers }) => receivers.every(hasEnded)) ? true : undefined,
  )
  await withTimeout(systemClock, farewellMs, told, () => true)
  return failure
}

/** The producer's failure, or `null` if there has been none so far. */
export const failureSoFar = (producer: Producer | null): Promise<AppError | null> =>
  producer === null ? Promise.resolve(null) : Promise.race([producer.ended, Promise.resolve(null)])
