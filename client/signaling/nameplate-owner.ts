/** What a share owns at its signaling server, and how it shows that. */
import type { ClientMessage } from '#shared/signaling'
import { SIGNALING_VERSION } from '#shared/signaling'
import { type Greeting, OwnerKey } from '#signaling/owner-proof'

/** A nameplate, as soon as there is one, and the key that reclaims it after a break. */
export class NameplateOwner {
  #key = new OwnerKey()
  #nameplate: string | null = null

  /** The first message of a socket. */
  claim(greeting: Greeting): ClientMessage {
    return {
      t: 'host',
      v: SIGNALING_VERSION,
      owner: this.#key.publicKey,
      proof: this.#key.prove(greeting),
      ...(this.#nameplate === null ? {} : { nameplate: this.#nameplate }),
    }
  }

  /** The server has given this nameplate. */
  got(nameplate: string): void {
    this.#nameplate = nameplate
  }

  /** Whatever was owned is no more; the next claim is for any nameplate, by nobody the server knows. */
  forget(): void {
    this.#key = new OwnerKey()
    this.#nameplate = null
  }
}
