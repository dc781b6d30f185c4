/** A share's ownership of a nameplate at its signaling servers, and the proof of it. */
import type { ClientMessage } from '#shared/signaling/messages'
import { SIGNALING_VERSION } from '#shared/signaling/messages'
import { type Greeting, OwnerKey } from '#shared/signaling/owner-proof'

/** A nameplate, if assigned, and the key that reclaims it after a lost connection. */
export class NameplateOwner {
  #key: OwnerKey
  #nameplate: string | null

  /** `restored`: an earlier program's ownership. */
  constructor(restored: { readonly ownerKey: string; readonly nameplate: string } | null = null) {
    this.#key = restored === null ? new OwnerKey() : OwnerKey.from(restored.ownerKey)
    this.#nameplate = restored?.nameplate ?? null
  }

  /** The key that reclaims the nameplate, which is secret. */
  get key(): string {
    return this.#key.text
  }

  /** The assigned nameplate; `null` before any was. */
  get nameplate(): string | null {
    return this.#nameplate
  }

  /** The first message of a socket; `wish` is a preferred nameplate if none is owned. */
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

  /** Records the nameplate that a server assigned. */
  got(nameplate: string): void {
    this.#nameplate = nameplate
  }

  /** Drops the ownership; the next claim is for any nameplate, by an owner that no server knows. */
  forget(): void {
    this.#key = new OwnerKey()
    this.#nameplate = null
  }
}
