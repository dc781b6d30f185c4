/** Asks a feed once, and says what that means for this installation. */
import type { Clock } from '#client/clock'
import type { UpdateFeed } from '#client/update/feed'
import { fetchDocument } from '#client/update/fetch'
import { type Installation, judgeManifest, type Verdict } from '#client/update/judge'
import {
  beginningOf,
  followKeyLists,
  isFurther,
  type TrustedKeys,
} from '#client/update/trusted-keys'
import type { UpdateNote, UpdateNotes } from '#client/update/update-note'
import { err, type Result } from '#shared/result'
import { type Channel, keyListsPath, manifestPath } from '#shared/update/manifest'
import { type UpdateError, updateError } from '#shared/update/update-error'

/** Whom to ask, for which installation, and what is remembered. */
export type Look = {
  readonly feed: UpdateFeed
  readonly installation: Installation
  readonly channel: Channel
  readonly notes: UpdateNotes
  readonly clock: Clock
  readonly signal: AbortSignal
  /** See `Question`. */
  readonly isAsked: boolean
}

/** Where the package of a verdict is, too, and what was signed. */
export type Found = Verdict & { readonly address: URL; readonly signed: unknown }

/** What counts is remembered before this resolves. */
export async function lookForUpdate(look: Look): Promise<Result<Found, UpdateError>> {
  const { feed, installation, channel, notes, clock } = look
  const { keys } = await currentKeys(look)
  const address = new URL(manifestPath(channel, installation), feed.address)
  const fetched = await fetchDocument(address, look)
  if (!fetched.ok) return fetched
  if (fetched.value === null) return err(updateError('E_UPDATE_UNREACHABLE', 'no manifest there'))
  const verdict = judgeManifest(fetched.value, {
    ...{ installation, channel, keys, isAsked: look.isAsked },
    nowMs: clock.now(),
    lot: await notes.lot(),
    newestPublished: notes.read().published[channel],
  })
  if (!verdict.ok) return verdict
  const { manifest } = verdict.value
  // The command or another app of this account may have seen a newer one since the question was put.
  const isOld = (note: UpdateNote): boolean => manifest.published < note.published[channel]
  await notes.change((note) =>
    isOld(note)
      ? note
      : {
          ...note,
          published: { ...note.published, [channel]: manifest.published },
          checkedMs: clock.now(),
          found: verdict.value.kind === 'later' ? note.found : manifest.version,
        },
  )
  if (isOld(notes.read())) return err(updateError('E_UPDATE_STALE', manifest.published))
  const about = { signed: fetched.value, address: new URL(manifest.file, address) }
  return { ok: true, value: { ...verdict.value, ...about } }
}

/**
 * Judges what a feed said before by what is known now: the time, the newest keys and the newest manifest. Asks
 * nobody, and doesn't look at turns again.
 */
export function judgeAgain(
  signed: unknown,
  { feed, installation, channel, notes, clock }: Omit<Look, 'signal' | 'isAsked'>,
): Result<Verdict, UpdateError> {
  const { keys, published } = notes.read()
  return judgeManifest(signed, {
    ...{ installation, channel, keys: beginningOf(feed.known, keys).keys, isAsked: true },
    ...{ nowMs: clock.now(), lot: '', newestPublished: published[channel] },
  })
}

/** The newest keys that the feed leads to. They are asked for each time: one may have been stolen. */
async function currentKeys({ feed, notes, ...options }: Look): Promise<TrustedKeys> {
  const known = beginningOf(feed.known, notes.read().keys)
  const fetched = await fetchDocument(new URL(keyListsPath, feed.address), options)
  const trusted = fetched.ok ? followKeyLists(known, fetched.value) : known
  if (trusted.serial > known.serial) {
    const { serial, keys } = trusted
    const noted = { serial, keys: [...keys], from: known.from }
    // Another program of this account may have followed the lists further by now.
    await notes.change((note) => (isFurther(note.keys, noted) ? note : { ...note, keys: noted }))
  }
  return trusted
}
