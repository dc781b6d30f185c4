/**
 * The TURN servers that a signaling server names. It is not trusted: what it names must not lead
 * into the network of whoever is told, unless the server is there itself.
 */
import { isIP } from 'node:net'
import type { IceServers } from '#client/engine'
import {
  type AddressScope,
  mayName,
  scopeOfAddress,
  scopeOfHost,
} from '#client/signaling/address-scope'
import { type Lookup, resolveIceServers } from '#client/signaling/ice-servers'
import { limits } from '#shared/limits'
import { type ServerMessage, turnBounds } from '#shared/signaling'
import { formatTurnUrl, parseTurnUrl, type TurnUrl } from '#shared/turn-url'

/** Access to relays for the way to one peer. */
export type TurnMessage = Extract<ServerMessage, { readonly t: 'turn' }>

/** Names that one socket may have looked up; a server of good faith names the same ones again. */
const mostNames = turnBounds.urls

/** What one socket's server names; made anew with each socket. */
export class OfferedRelays {
  readonly #server: AddressScope
  readonly #lookup: Lookup | undefined
  readonly #addresses = new Map<string, Promise<string | null>>()
  /** Messages that wait for a name to be looked up. */
  #waiting = 0

  /** `server` is where the signaling server is. */
  constructor(server: AddressScope, lookup?: Lookup) {
    this.#server = server
    this.#lookup = lookup
  }

  /** The message with literal addresses only, or `null` when none of its URLs is usable. */
  async check(message: TurnMessage): Promise<TurnMessage | null> {
    if (this.#waiting >= limits.mostReceiversPerShare) return null
    this.#waiting += 1
    const checked = await Promise.all(message.urls.map((url) => this.#checkUrl(url)))
    this.#waiting -= 1
    const urls = checked.filter((url) => url !== null)
    return urls.length > 0 ? { ...message, urls } : null
  }

  async #checkUrl(text: string): Promise<string | null> {
    const url = parseTurnUrl(text)
    if (url === null || !mayName(this.#server, scopeOfHost(url.host))) return null
    const host = await this.#addressOf(url)
    return host === null ? null : formatTurnUrl({ ...url, host })
  }

  #addressOf(url: TurnUrl): Promise<string | null> {
    if (isIP(url.host) !== 0) return Promise.resolve(url.host)
    const known = this.#addresses.get(url.host)
    if (known !== undefined) return known
    if (this.#addresses.size >= mostNames) return Promise.resolve(null)
    const address = this.#resolve(url)
    this.#addresses.set(url.host, address)
    return address
  }

  async #resolve({ host, port }: TurnUrl): Promise<string | null> {
    const place = { stun: [{ host, port }], turn: [], relayOnly: false }
    const resolved = await resolveIceServers(place, this.#lookup)
    const address = resolved.ok ? resolved.value.stun[0]?.host : undefined
    if (address === undefined) return null
    return mayName(this.#server, scopeOfAddress(address)) ? address : null
  }
}

/** A checked message as the engine takes it. */
export const relaysOf = ({ urls, username, credential }: TurnMessage): IceServers['turn'] =>
  urls.flatMap((text) => {
    const url = parseTurnUrl(text)
    return url === null ? [] : [{ ...url, user: username, password: credential }]
  })
