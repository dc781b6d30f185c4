/** The nameplate of a receive's sender, and the secret that admits this side. */
import type { ReceiveSecret } from '#client/engine'
import { makeJoinCode } from '#shared/code/join-code'
import type { ContactId } from '#shared/state/contacts'
import type { ResumeKey } from '#shared/state/resumable-receive-record'

/** Without words or a contact, only a resumed receive is admitted. */
export type JoinTarget = {
  readonly nameplate: string
  readonly words: string | null
  readonly contact?: ContactId
  /**
   * The number that was compared with the nearby computer that asked: a person has not entered the words, and never sees
   * them.
   */
  readonly nearby?: string
  /** The signaling server's pass; see `SenderLinkOptions`. */
  readonly pass?: string | null
  /** Searches again for this time, in ms, while no share has this nameplate. */
  readonly waitMs?: number
}

/** The code that a person entered; the nameplate alone if there was none. */
export const codeOf = ({ nameplate, words, nearby }: JoinTarget): string =>
  words === null || nearby !== undefined ? nameplate : makeJoinCode(nameplate, words)

/**
 * The secret for a connection. An admitted receive resumes with a key, which can't be guessed; `null` if nothing admits
 * it.
 */
export function secretFor(
  { words, contact }: JoinTarget,
  resumeKey: ResumeKey | null,
): ReceiveSecret | null {
  if (resumeKey !== null) return { kind: 'resume', key: resumeKey.key }
  if (contact !== undefined) return { kind: 'contact', contact }
  return words === null ? null : { kind: 'words', words }
}
