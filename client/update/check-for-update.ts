/** Checks for an update once, and stores the result. */
import type { RequestOptions } from 'node:http'
import { CancellationToken, configureRequestUrl } from 'builder-util-runtime'
import type { Clock } from '#client/clock'
import type { FeedSource } from '#client/update/feed-source'
import { updateErrorOf } from '#client/update/refusal'
import type { Executor } from '#client/update/requests'
import { openFeed } from '#client/update/signed-feed'
import type { UpdateRecord, UpdateStore } from '#client/update/update-store'
import { err, ok, type Result } from '#shared/result'
import { type Channel, type Feed, feedName } from '#shared/update/feed'
import { type UpdateError, updateError } from '#shared/update/update-error'

/** The time limit of a check, including redirects. */
const patienceMs = 30_000

/** A check for updates, with the notes that store its result. */
export type UpdateCheck = {
  readonly source: FeedSource
  readonly channel: Channel
  readonly store: UpdateStore
  readonly clock: Clock
  /** Bounded by `boundRequests`. */
  readonly executor: Executor
  readonly stop: CancellationToken
}

/** Returns the feed for this computer. A valid result is stored before this resolves. */
export async function checkForUpdate(check: UpdateCheck): Promise<Result<Feed, UpdateError>> {
  const { source, channel, store, clock } = check
  const name = feedName(channel, process.platform, process.arch)
  const fetched = await fetchText(new URL(name, source.address), check)
  if (!fetched.ok) return fetched
  const { keys } = source
  const now = { nowMs: clock.now(), newest: store.read().published[channel] }
  const opened = openFeed(fetched.value, { name, channel, keys, ...now })
  if (!opened.ok) return opened
  const { releaseDate, version, stagingPercentage } = opened.value
  // Another program of this account may have seen a newer feed since the request.
  const isOld = (note: UpdateRecord): boolean => releaseDate < note.published[channel]
  await store.change((note) =>
    isOld(note)
      ? note
      : {
          ...note,
          published: { ...note.published, [channel]: releaseDate },
          checkedMs: clock.now(),
          // Announces only versions that everyone can get.
          found: stagingPercentage === 100 ? version : note.found,
        },
  )
  return isOld(store.read()) ? err(updateError('E_UPDATE_STALE', releaseDate)) : opened
}

async function fetchText(
  address: URL,
  { executor, clock, stop }: UpdateCheck,
): Promise<Result<string, UpdateError>> {
  const own = new CancellationToken(stop)
  const cancel = clock.after(patienceMs, () => own.cancel())
  const options: RequestOptions = {}
  configureRequestUrl(address, options)
  try {
    return ok((await executor.request(options, own)) ?? '')
  } catch (reason) {
    return err(updateErrorOf(reason, 'E_UPDATE_UNREACHABLE'))
  } finally {
    cancel()
    own.dispose()
  }
}
