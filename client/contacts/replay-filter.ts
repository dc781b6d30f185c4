/**
 * Drops old messages of contacts. The server between two contacts can't make one up, but it can delay
 * or repeat one; so each has its sender's time, and counts only before a later one.
 */
import { limits } from '#shared/limits'
import type { ContactId, InvitationMessage } from '#shared/state/contacts'

/** A message counts for this long, and clocks of two computers may differ by as much. */
const freshMs = 24 * 3_600_000

type Seen = {
  /** By nameplate, the time of the latest message. */
  readonly latestMs: Map<string, number>
  /** Latest time of a nameplate that was forgotten: nothing up to then is new. */
  forgottenMs: number
}

/** Belongs to one listener, which has it as long as it runs. */
export class ReplayFilter {
  readonly #contacts = new Map<ContactId, Seen>()

  /** True for a message that is neither old nor was overtaken, at `nowMs` of this computer's clock. */
  isNew(contact: ContactId, { nameplate, atMs }: InvitationMessage, nowMs: number): boolean {
    const seen = this.#contacts.get(contact) ?? nothingSeen()
    const latestMs = seen.latestMs.get(nameplate) ?? seen.forgottenMs
    if (Math.abs(nowMs - atMs) > freshMs || atMs <= latestMs) return false
    seen.latestMs.set(nameplate, atMs)
    this.#contacts.set(contact, seen)
    if (seen.latestMs.size > limits.invitationsShown) forgetOldest(seen)
    return true
  }

  /** Forgets those that are no longer contacts. */
  retain(isContact: (id: ContactId) => boolean): void {
    for (const id of [...this.#contacts.keys()]) if (!isContact(id)) this.#contacts.delete(id)
  }
}

const nothingSeen = (): Seen => ({ latestMs: new Map(), forgottenMs: 0 })

function forgetOldest(seen: Seen): void {
  const [oldest] = [...seen.latestMs].sort(([, a], [, b]) => a - b)
  if (oldest === undefined) return
  seen.latestMs.delete(oldest[0])
  seen.forgottenMs = Math.max(seen.forgottenMs, oldest[1])
}
