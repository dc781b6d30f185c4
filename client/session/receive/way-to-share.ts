/** The way to the sender of a receive, and what lets this side in. */
import type { ReceiveSecret } from '#client/engine'
import type { ContactId } from '#shared/state/contacts'
import type { ResumeKey } from '#shared/state/unfinished'

/** Without the words and without a contact whose share it is, only a resumed receive gets in. */
export type WayToShare = {
  readonly nameplate: string
  readonly words: string | null
  readonly contact?: ContactId
  /** Pass of the signaling server, see `SenderLinkOptions`. */
  readonly pass?: string | null
}

/** Once admitted, a receive resumes by a key: no words, nothing that anyone could guess. `null`: nothing lets it in. */
export function secretFor(
  { words, contact }: WayToShare,
  resumeKey: ResumeKey | null,
): ReceiveSecret | null {
  if (resumeKey !== null) return { kind: 'resume', key: resumeKey.key }
  if (contact !== undefined) return { kind: 'contact', contact }
  return words === null ? null : { kind: 'words', words }
}
