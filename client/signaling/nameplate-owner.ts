/** What a share owns at its signaling servers, and how it shows that. */
import type { ClientMessage } from '#shared/signaling/messages'
import { SIGNALING_VERSION } from '#shared/signaling/messages'
import { type Greeting, OwnerKey } from '#shared/signaling/owner-proof'

/** A nameplate, as soon as there is one, and the key that reclaims it after a break. */
export class NameplateOwner {
  #key: OwnerKey
  #nameplate: string | null

  /** `restored`: what an earlier program owned. */
  constructor(restored: { readonly ownerKey: string; readonly nameplate: string } | null = null) {
    this.#key = restored === null ? new OwnerKey() : OwnerKey.from(restored.ownerKey)
    this.#nameplate = restored?.nameplate ?? null
  }

  /** The key that reclaims the nameplate. Secret. */
  get key(): string {
    return this.#key.text
  }

  /** What a server has given; `null` before one did. */
  get nameplate(): string | null {
    return this.#nameplate
  }

  /** The first message of a socket; `wish` is for a nameplate when none is owned yet. */
  claim(greeting: Greeting, wish: string | null = null): ClientMessage & { readonly t: 'host' } {
    const nameplate = this.#nameplate ?? wish
    return {
      t: 'host',
      v: SIGNALING_VERSION,
      owner: this.#key.publicKey,
      proof: this.#key.prove(greeting),
      ...(nameplate === null ? {} : { nameplate }),
    }
  }

  /** A server has given this nameplate. */
  got(nameplate: string): void {
    this.#nameplate = nameplate
  }

  /** Whatever was owned is no more; the next claim is for any nameplate, by nobody a server knows. */
  forget(): void {
    this.#key = new OwnerKey()
    this.#nameplate = null
  }
}
