/** Messages from and to one client, sealed if required. */
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import {
  type ClientMessage,
  decodeClientMessage,
  encode,
  type ServerMessage,
  travelsSealed,
  type WebLimits,
} from '#shared/signaling/messages'
import { isOwner } from '#shared/signaling/owner-proof'
import type { ChannelKey, SecureChannel } from '#shared/signaling/secure-channel'

/** A message outside its box. */
export type OpenMessage = Exclude<ClientMessage, { readonly t: 'sealed' }>

/** The keys of one socket; the client's key, if any, arrives with one of its messages. */
export class ClientChannel {
  readonly #key: ChannelKey
  readonly #nonce: string
  readonly #joins: boolean
  readonly #web: WebLimits | undefined
  #clientKey: string | null = null
  /** Created when something is first sealed or opened. */
  #channel: SecureChannel | null = null

  /** `joins`: the upgrade contained a `join`; `web`: limits for pages, if there is one. */
  constructor(key: ChannelKey, nonce: string, joins: boolean, web?: WebLimits) {
    this.#key = key
    this.#nonce = nonce
    this.#joins = joins
    this.#web = web
  }

  /** The first message on the socket. */
  get welcome(): ServerMessage {
    const joins = this.#joins || undefined
    return { t: 'welcome', nonce: this.#nonce, key: this.#key.publicKey, joins, web: this.#web }
  }

  /** True once messages can be sealed. */
  get canSeal(): boolean {
    return this.#secureChannel() !== null
  }

  /** Decodes one message, and opens its box if it has one. Errors: those of `decodeClientMessage`. */
  read(text: string): Result<OpenMessage, AppError> {
    const outer = decodeClientMessage(text)
    if (!outer.ok) return outer
    const { value } = outer
    if (!this.#takeKeyOf(value)) return refused('another key')
    if (value.t !== 'sealed') return travelsSealed(value) ? refused('not sealed') : ok(value)
    const opened = this.#secureChannel()?.open(value.box) ?? null
    if (opened === null) return refused('a box that can not be opened')
    const inner = decodeClientMessage(opened)
    if (!inner.ok) return inner
    if (inner.value.t === 'sealed') return refused('a box in a box')
    // A machine in the middle could reseal the client's message with its own key.
    return this.#takeKeyOf(inner.value) ? ok(inner.value) : refused('another key')
  }

  /** The form to send: `message` itself, or sealed if an eavesdropper could use it. */
  packed(message: ServerMessage): ServerMessage {
    const channel = travelsSealed(message) ? this.#secureChannel() : null
    return channel === null ? message : { t: 'sealed', box: channel.seal(encode(message)) }
  }

  /** False if the message names an owner without a valid signature for this socket; checked once per socket. */
  isOwner({ owner, proof, key }: Extract<ClientMessage, { readonly t: 'host' }>): boolean {
    if (owner === undefined || proof === undefined || key === undefined) return true
    const greeting = { nonce: this.#nonce, serverKey: this.#key.publicKey, clientKey: key }
    return isOwner(owner, proof, greeting)
  }

  /** False if a message names a different key than an earlier one. */
  #takeKeyOf(message: ClientMessage): boolean {
    const key = 'key' in message ? message.key : undefined
    if (key !== undefined) this.#clientKey ??= key
    return key === undefined || key === this.#clientKey
  }

  #secureChannel(): SecureChannel | null {
    if (this.#clientKey === null) return null
    this.#channel ??= this.#key.channelTo(this.#clientKey, this.#nonce, 'server')
    return this.#channel
  }
}

const refused = (detail: string) => err(appError('E_SERVER_PROTOCOL', detail))
