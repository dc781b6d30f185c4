/**
 * TURN servers that a signaling server names. It is untrusted: they must not lead into the client's network, unless the
 * server itself is there.
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
import { nearestHosts } from '#client/signaling/nearest-relays'
import { limits } from '#shared/limits'
import { type ServerMessage, turnBounds } from '#shared/signaling/messages'
import { formatTurnUrl, parseTurnUrl, type TurnUrl } from '#shared/signaling/turn-url'

/** Credentials for relays on the path to one peer. */
export type TurnMessage = Extract<ServerMessage, { readonly t: 'turn' }> & {
  /** Certificate names of TLS relays by URL, in a checked message. */
  readonly names?: ReadonlyMap<string, string>
}

/** A URL with a literal address; `name` is the name that a TLS server must prove. */
type CheckedUrl = { readonly text: string; readonly name: string | null }

/** Limits the names resolved for one socket; an honest server repeats the same ones. */
const maxNames = turnBounds.urls

/** The relays of one socket's server; each socket has its own. */
export class OfferedRelays {
  readonly #server: AddressScope
  readonly #lookup: Lookup | undefined
  readonly #addresses = new Map<string, Promise<string | null>>()
  readonly #choose: typeof nearestHosts
  /** The choice among the relays named last, by their addresses. */
  #chosen: { readonly among: string; readonly near: Promise<ReadonlySet<string>> } | null = null
  /** The number of messages that wait for resolution. */
  #waiting = 0

  /** `server` is the signaling server's scope; `choose` selects the nearest relays. */
  constructor(server: AddressScope, lookup?: Lookup, choose = nearestHosts) {
    this.#server = server
    this.#lookup = lookup
    this.#choose = choose
  }

  /** The message with only literal addresses of near relays, or `null` if none of its URLs is usable. */
  async check(message: TurnMessage): Promise<TurnMessage | null> {
    if (this.#waiting >= limits.maxReceiversPerShare) return null
    this.#waiting += 1
    const checked = await Promise.all(message.urls.map((url) => this.#checkUrl(url)))
    const usable = checked.filter((url) => url !== null)
    const near = new Set(await this.#nearest(usable.map(({ text }) => text)))
    this.#waiting -= 1
    const found = usable.filter(({ text }) => near.has(text))
    if (found.length === 0) return null
    const named = found.flatMap(({ text, name }) => (name === null ? [] : [[text, name] as const]))
    const names = named.length > 0 ? { names: new Map(named) } : {}
    return { ...message, urls: found.map(({ text }) => text), ...names }
  }

  /** The URLs of near relays. Relays over TCP only can't be queried and are kept. */
  async #nearest(texts: readonly string[]): Promise<string[]> {
    const urls = texts.map(parseTurnUrl).filter((url) => url !== null)
    const asked = urls.filter(({ transport }) => transport === 'udp')
    const among = asked.map(({ host, port }) => `${host} ${port}`).join()
    if (this.#chosen?.among !== among) this.#chosen = { among, near: this.#choose(asked) }
    const near = await this.#chosen.near
    const far = new Set(asked.map(({ host }) => host).filter((host) => !near.has(host)))
    return texts.filter((text) => !far.has(parseTurnUrl(text)?.host ?? ''))
  }

  async #checkUrl(given: string): Promise<CheckedUrl | null> {
    const url = parseTurnUrl(given)
    if (url === null || !mayName(this.#server, scopeOfHost(url.host))) return null
    const host = await this.#addressOf(url)
    if (host === null) return null
    const name = url.transport === 'tls' ? url.host : null
    return { text: formatTurnUrl({ ...url, host }), name }
  }

  #addressOf(url: TurnUrl): Promise<string | null> {
    if (isIP(url.host) !== 0) return Promise.resolve(url.host)
    const known = this.#addresses.get(url.host)
    if (known !== undefined) return known
    if (this.#addresses.size >= maxNames) return Promise.resolve(null)
    const address = this.#resolve(url)
    this.#addresses.set(url.host, address)
    return address
  }

  async #resolve({ host, port }: TurnUrl): Promise<string | null> {
    const place = { stun: [{ host, port }], turn: [] }
    const resolved = await resolveIceServers(place, this.#lookup)
    const address = resolved.ok ? resolved.value.stun[0]?.host : undefined
    if (address === undefined) return null
    return mayName(this.#server, scopeOfAddress(address)) ? address : null
  }
}

/** Converts a checked message for the engine. */
export const relaysOf = ({
  urls,
  names,
  username: user,
  credential: password,
}: TurnMessage): IceServers['turn'] =>
  urls.flatMap((text) => {
    const url = parseTurnUrl(text)
    if (url === null) return []
    const name = url.transport === 'tls' ? { name: names?.get(text) ?? url.host } : {}
    return [{ ...url, ...name, user, password }]
  })
