/** Whether what a feed says is an update for this installation. Pure: the time is an argument. */
import { createHash } from 'node:crypto'
import { openEnvelope } from '#client/update/envelope'
import { err, ok, type Result } from '#shared/result'
import {
  type Channel,
  manifestSchema,
  payloadTypes,
  type UpdateManifest,
} from '#shared/update/manifest'
import { type UpdateError, updateError } from '#shared/update/update-error'
import { compareVersions } from '#shared/update/version'

/** What is installed here, and how. */
export type Installation = Pick<UpdateManifest, 'version' | 'platform' | 'arch' | 'kind'>

/** What a manifest is judged by. */
export type Question = {
  readonly installation: Installation
  readonly channel: Channel
  /** See `TrustedKeys`. */
  readonly keys: readonly string[]
  /** Unix milliseconds. */
  readonly nowMs: number
  /** Drawn once for this installation. */
  readonly lot: string
  /** When the newest manifest of this channel that was seen before was published; '' for none. */
  readonly newestPublished: string
  /** A person asked, who need not wait until it is everybody's turn. */
  readonly isAsked: boolean
}

/** `newest`: nothing newer is offered. `later`: it is, but not to everybody yet. */
export type Verdict = {
  readonly kind: 'update' | 'newest' | 'later'
  readonly manifest: UpdateManifest
}

/** How far the clock of the computer that signs may be ahead of this one. */
const mostAheadMs = 24 * 60 * 60 * 1000

/** Judges the envelope of a manifest. Error: why nothing of it counts. */
export function judgeManifest(raw: unknown, question: Question): Result<Verdict, UpdateError> {
  const { installation, channel, nowMs } = question
  const opened = openEnvelope(raw, payloadTypes.manifest, manifestSchema, question.keys)
  if (!opened.ok) return opened
  const manifest = opened.value
  const isMeant =
    manifest.channel === channel &&
    manifest.platform === installation.platform &&
    manifest.arch === installation.arch &&
    manifest.kind === installation.kind
  if (!isMeant) return err(updateError('E_UPDATE_WRONG_TARGET', targetOf(manifest)))
  if (Date.parse(manifest.expires) <= nowMs) {
    return err(updateError('E_UPDATE_EXPIRED', `valid until ${manifest.expires}`))
  }
  // Remembered, it would make every right manifest after it a stale one.
  if (Date.parse(manifest.published) > nowMs + mostAheadMs) {
    return err(updateError('E_UPDATE_EXPIRED', `valid from ${manifest.published} on`))
  }
  // Times of this form are ordered as texts.
  if (manifest.published < question.newestPublished) {
    return err(updateError('E_UPDATE_STALE', `published ${manifest.published}`))
  }
  if (compareVersions(manifest.version, installation.version) <= 0) {
    return ok({ kind: 'newest', manifest })
  }
  if (compareVersions(installation.version, manifest.minFrom) < 0) {
    return err(updateError('E_UPDATE_TOO_OLD', `from ${manifest.minFrom} on`))
  }
  const isTurn = question.isAsked || isStaged(question.lot, manifest)
  return ok({ kind: isTurn ? 'update' : 'later', manifest })
}

const targetOf = ({ channel, platform, arch, kind }: UpdateManifest): string =>
  `${channel}, ${platform}, ${arch}, ${kind}`

/** Another order of installations for each version, so that not always the same ones are the first. */
export function isStaged(
  lot: string,
  { version, staged }: Pick<UpdateManifest, 'version' | 'staged'>,
): boolean {
  const digest = createHash('sha256').update(`${lot} ${version}`).digest()
  return digest.readUInt32BE(0) / 2 ** 32 < staged / 100
}
