/**
 * Which calls of contacts are new. The server between two contacts can't make one up, but it can keep
 * one back or bring it again; so each has its sender's time, and counts only before a later one.
 */
import type { Call, ContactId } from '#shared/contacts'
import { limits } from '#shared/limits'

/** A call counts for so long, and clocks of two computers may differ by as much. */
const freshMs = 24 * 3_600_000

type OfContact = {
  /** By nameplate, the time of the latest call. */
  readonly latestMs: Map<string, number>
  /** Of a nameplate that is not in there any more: nothing up to then is new. */
  forgottenMs: number
}

/** Belongs to one listener, which has it as long as it runs. */
export class HeardCalls {
  readonly #contacts = new Map<ContactId, OfContact>()

  /** True for a call that is neither old nor was overtaken, at `nowMs` of this computer's clock. */
  isNew(contact: ContactId, { nameplate, atMs }: Call, nowMs: number): boolean {
    const heard = this.#contacts.get(contact) ?? nothingHeard()
    const latestMs = heard.latestMs.get(nameplate) ?? heard.forgottenMs
    if (Math.abs(nowMs - atMs) > freshMs || atMs <= latestMs) return false
    heard.latestMs.set(nameplate, atMs)
    this.#contacts.set(contact, heard)
    if (heard.latestMs.size > limits.invitationsShown) forgetOldest(heard)
    return true
  }

  /** Forgets contacts that are none any more. */
  retain(isContact: (id: ContactId) => boolean): void {
    for (const id of [...this.#contacts.keys()]) if (!isContact(id)) this.#contacts.delete(id)
  }
}

const nothingHeard = (): OfContact => ({ latestMs: new Map(), forgottenMs: 0 })

function forgetOldest(heard: OfContact): void {
  const [oldest] = [...heard.latestMs].sort(([, a], [, b]) => a - b)
  if (oldest === undefined) return
  heard.latestMs.delete(oldest[0])
  heard.forgottenMs = Math.max(heard.forgottenMs, oldest[1])
}
