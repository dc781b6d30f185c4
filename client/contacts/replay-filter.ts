/**
 * Drops old messages of contacts. The server between two contacts can't forge a message, but it can delay or repeat
 * one. So each message carries its sender's time and is valid only before a later one.
 */
import { limits } from '#shared/limits'
import type { ContactId, InvitationMessage } from '#shared/state/contacts'

/** The lifetime of a message, and the greatest difference allowed between two computers' clocks. */
const freshMs = 24 * 3_600_000

type Seen = {
  /** The time of the latest message by nameplate. */
  readonly latestMs: Map<string, number>
  /** The latest time of all forgotten nameplates; messages up to then are old. */
  forgottenMs: number
}

/** Each listener has one, for as long as it runs. */
export class ReplayFilter {
  readonly #contacts = new Map<ContactId, Seen>()

  /** True for a message that is neither old nor overtaken, at `nowMs` of this computer's clock. */
  isNew(contact: ContactId, { nameplate, atMs }: InvitationMessage, nowMs: number): boolean {
    const seen = this.#contacts.get(contact) ?? nothingSeen()
    const latestMs = seen.latestMs.get(nameplate) ?? seen.forgottenMs
    if (Math.abs(nowMs - atMs) > freshMs || atMs <= latestMs) return false
    seen.latestMs.set(nameplate, atMs)
    this.#contacts.set(contact, seen)
    if (seen.latestMs.size > limits.invitationsShown) forgetOldest(seen)
    return true
  }

  /** Drops former contacts. */
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
