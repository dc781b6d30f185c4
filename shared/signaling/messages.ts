/**
 * The messages between a client and the signaling server, used by both; the normative text is docs/signaling.md.
 * Everything here is pure: text in, plain data out.
 */
import * as z from 'zod'
import { type AppError, appError, toErrorCode } from '#shared/errors'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'

/** Sent as `v` in a client's first message; the answer to another version is `E_PEER_VERSION`. */
export const SIGNALING_VERSION = 1

/** A header of the upgrade with the client's `join`, in base64url: saves a round trip. */
export const joinHeader = 'thruflux-join'

/** The subprotocol of a page's socket for signaling; it is offered next to a password. */
export const pageProtocol = 'thru.1'

/** Begins the subprotocol in which a page shows a server's password, since it can't set `Authorization`. */
export const passwordProtocol = 'thru.password.'

/** Begins the subprotocol in which a page shows the ticket of a server relay. */
export const ticketProtocol = 'thru.ticket.'

/** The name of a node in a path. */
export const nodeNamePattern = /^[a-z0-9-]{1,32}$/

/** Maximum length of a server relay message, in bytes. */
export const maxServerRelayMessageBytes = 64 * 1024

/** Reasons why a WebSocket was closed. Codes below 4000 are those of RFC 6455, the rest are ours. */
export const closeCodes = {
  /** After `leave`. */
  normal: 1000,
  /** The server is shutting down: connect again after a pause. */
  goingAway: 1001,
  /** A binary frame. */
  binary: 1003,
  /** Not UTF-8, not JSON, or not a message of this protocol. */
  malformed: 1007,
  /** A message in too many fragments. */
  policy: 1008,
  /** A message above the size limit. */
  tooLarge: 1009,
  /** The client reads too slowly: connect again after a pause. */
  backlog: 1013,
  /** The `error` just before gives the reason. */
  refused: 4000,
  /** A known message in the wrong state. */
  order: 4001,
  /** The same owner attached on a newer socket. */
  replaced: 4002,
  /** The host left, or the session has expired. */
  ended: 4003,
  /** No `host`, `join` or `listen` within the time allowed. */
  silent: 4004,
  /** Nothing received, not even an answer to a ping. */
  idle: 4005,
  /** More messages than `messageAllowance`. */
  tooManyMessages: 4006,
  /** The server relay has used up its quota. */
  quota: 4007,
} as const

/** One of `closeCodes`. */
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes]

/** Mailboxes that one socket may listen on; a client keeps room for all of its contacts. */
export const maxMailboxes = 100

/** Bounds of the `turn` message: any sensible configuration stays far below. */
export const turnBounds = { urls: 8, characters: 256, ttlS: 24 * 3600 } as const

/** Bounds of `ws`, against messages in very many fragments, each of which costs an object. */
export const frameLimits = { maxFragments: 64, maxBufferedChunks: 256 } as const

/**
 * The default rate limit of one socket: a bucket of `burst` messages that refills by `perSecond`. Each `peer` that a
 * host receives adds another `burst`, enough for one pairing, up to `savedBursts`.
 */
export const messageAllowance = { perSecond: 20, burst: 60, savedBursts: 10 } as const

const version = z.literal(SIGNALING_VERSION)
const nameplate = z.string().regex(/^[1-9][0-9]{3,5}$/)
/** 256 bits in base64url. */
const bits256 = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
/** An Ed25519 signature in base64url. */
const signature = z.string().regex(/^[A-Za-z0-9_-]{86}$/)
/** A sealed line: at least its 16 bytes of authentication. */
const box = z
  .string()
  .min(22)
  .max(limits.signalingFrameBytes)
  .regex(/^[A-Za-z0-9_-]+$/)
/** 64 bits in lower-case hex. */
const peer = z.string().regex(/^[0-9a-f]{16}$/)
/** 256 bits in base64url, derived by two contacts from the key that only they have. */
const mailbox = bits256
/** Sealed by the engines; base64 or base64url, not interpreted here. */
const body = z
  .string()
  .max(limits.relayBodyBytes)
  .regex(/^[A-Za-z0-9+/_=-]+$/)

/** Name, user or password of a TURN server: printable ASCII. */
const turnText = z
  .string()
  .max(turnBounds.characters)
  .regex(/^[!-~]+$/)

const clientMessage = z.discriminatedUnion('t', [
  /**
   * Requests a nameplate: the one that `owner` already has, else `nameplate`, else any. `owner` is an Ed25519 key
   * proved by `proof`; `key` is this socket's X25519 key. `visible`: an embedded server admits joiners of its local
   * network.
   */
  z
    .object({
      t: z.literal('host'),
      v: version,
      key: bits256.optional(),
      owner: bits256.optional(),
      proof: signature.optional(),
      nameplate: nameplate.optional(),
      visible: z.boolean().optional(),
    })
    .refine(({ key, owner, proof }) => {
      const isOwned = owner !== undefined
      return (proof !== undefined) === isOwned && (!isOwned || key !== undefined)
    }),
  /** `body` saves the round trip of a first `relay`; `pass` is for reconnecting. */
  z.object({
    t: z.literal('join'),
    v: version,
    nameplate,
    key: bits256.optional(),
    pass: bits256.optional(),
    body: body.optional(),
  }),
  /** Subscribes to the notifications of these mailboxes, and replaces an earlier subscription. */
  z.object({
    t: z.literal('listen'),
    v: version,
    mailboxes: z.array(mailbox).min(1).max(maxMailboxes),
  }),
  z.object({ t: z.literal('relay'), to: peer, body }),
  /** Sent by a host: `peer` has proved its knowledge of the code, so it may use the server's relays. */
  z.object({ t: z.literal('grant'), peer }),
  /** Sent by a host: `body` for the listener on `mailbox`. */
  z.object({ t: z.literal('notify'), mailbox, body }),
  z.object({ t: z.literal('leave') }),
  /** Another message, sealed by the sender of `key`. */
  z.object({ t: z.literal('sealed'), key: bits256, box }),
])

/**
 * Limits for a browser that receives through the server's page: bytes in all, and bytes per second. `congestion`: the
 * congestion control of the server's TCP, by its name in Linux.
 */
const web = z.object({
  bytes: z.int().positive(),
  bytesPerSec: z.int().positive(),
  congestion: z
    .string()
    .regex(/^[a-z0-9_]{1,15}$/)
    .optional(),
})

const serverMessage = z.discriminatedUnion('t', [
  /**
   * The first message on every socket: a unique nonce, and the server's X25519 key. `joins`: the server has read the
   * `join` in the upgrade. `web`: a browser can receive with the page at `/join`.
   */
  z.object({
    t: z.literal('welcome'),
    nonce: bits256,
    key: bits256,
    joins: z.literal(true).optional(),
    web: web.optional(),
  }),
  /** Another message, sealed. */
  z.object({ t: z.literal('sealed'), box }),
  z.object({
    t: z.literal('hosted'),
    nameplate,
    /** Seconds until the nameplate expires; attaching again restarts them. */
    ttlS: z.int().positive(),
  }),
  /** To a joiner: `peer` is the host. */
  z.object({ t: z.literal('joined'), peer }),
  /** The host is absent: `joined` follows when it is back. */
  z.object({ t: z.literal('waiting') }),
  /** To a host: `peer` is a new joiner, and `body` came with its `join`. */
  z.object({ t: z.literal('peer'), peer, body: body.optional() }),
  z.object({ t: z.literal('relay'), from: peer, body }),
  /** To both sides of a pair after the host's `grant`: relays for the route to `peer`. */
  z.object({
    t: z.literal('turn'),
    peer,
    /** URIs of RFC 7065. */
    urls: z.array(turnText).min(1).max(turnBounds.urls),
    username: turnText,
    credential: turnText,
    /** Seconds in which `credential` opens a relay. */
    ttlS: z.int().positive().max(turnBounds.ttlS),
  }),
  /** The same: `ticket` opens a server relay to `peer`, once, at `node` if there are several. */
  z.object({
    t: z.literal('server-relay'),
    peer,
    ticket: bits256,
    node: z.string().regex(nodeNamePattern).optional(),
  }),
  /** To a joiner after its host's `grant`: for its next `join` to this nameplate. */
  z.object({ t: z.literal('pass'), pass: bits256 }),
  /** The answer to `listen`. */
  z.object({ t: z.literal('listening') }),
  /** To a listener; `pass` is for a `join` to the nameplate of the notifying host. */
  z.object({ t: z.literal('notify'), mailbox, body, pass: bits256.optional() }),
  /** The answer to a host's `notify`; `reached` if a listener was connected. */
  z.object({ t: z.literal('notified'), mailbox, reached: z.boolean() }),
  /** The socket of `peer` ended; the id is never used again. */
  z.object({ t: z.literal('gone'), peer }),
  /**
   * `peer` with the `E_PEER_GONE` that answers a `relay` or `grant`, `mailbox` with the `E_RATE_LIMITED` that answers a
   * `notify`; every other error ends the socket.
   */
  z.object({
    t: z.literal('error'),
    code: z.string().max(64).transform(toErrorCode),
    peer: peer.optional(),
    mailbox: mailbox.optional(),
  }),
])

const health = z.object({
  name: z.literal('thruflux-signaling'),
  version: z.int().positive(),
  /** Tells the server's own page, whose browser hides the status of a refused upgrade, to ask for a password. */
  password: z.literal(true).optional(),
})

/** A message from a client. */
export type ClientMessage = z.infer<typeof clientMessage>

/** A message from the server. */
export type ServerMessage = z.infer<typeof serverMessage>

/** Limits of a server for pages, in its `welcome`. */
export type WebLimits = z.infer<typeof web>

/** A message of a newer server; clients ignore it. */
export type UnknownMessage = { readonly t: 'unknown' }

/** The answer of `healthPath`. */
export type Health = z.infer<typeof health>

/**
 * A key that every object inherits, such as `__proto__` or `toString`. It could do no harm, since the schemas copy only
 * known keys, but no honest client sends it.
 */
const isInherited = (key: string): boolean => key in Object.prototype

const protocolError = (detail: string) => err(appError('E_SERVER_PROTOCOL', detail))

/** Bounds the text before parsing it; every message is an object. */
function parse(text: string): Result<object, AppError> {
  if (text.length > limits.signalingFrameBytes) return protocolError('message too long')
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return protocolError('not JSON')
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return protocolError('not an object')
  }
  return Object.keys(raw).some(isInherited) ? protocolError('reserved key') : ok(raw)
}

function decode<S extends z.ZodType>(schema: S, raw: object): Result<z.infer<S>, AppError> {
  const parsed = schema.safeParse(raw)
  return parsed.success
    ? ok(parsed.data)
    : protocolError(z.prettifyError(parsed.error).slice(0, 200))
}

const otherVersion = z.object({
  t: z.enum(['host', 'join', 'listen']),
  v: z.int().refine((v) => v !== SIGNALING_VERSION),
})

/**
 * Decodes a client's message and drops unknown keys. Errors: `E_PEER_VERSION` for a `host`, `join` or `listen` of
 * another version, else `E_SERVER_PROTOCOL`.
 */
export function decodeClientMessage(text: string): Result<ClientMessage, AppError> {
  const raw = parse(text)
  if (!raw.ok) return raw
  const message = clientMessage.safeParse(raw.value)
  if (message.success) return ok(message.data)
  // Describing the fault takes far longer than finding it, and the server reports it nowhere.
  return otherVersion.safeParse(raw.value).success
    ? err(appError('E_PEER_VERSION', 'a different signaling version'))
    : protocolError('not a client message')
}

const anyMessage = z.object({ t: z.string() })

const sealedTypes: ReadonlySet<string> = new Set([
  'listen',
  'notify',
  'notified',
  'turn',
  'server-relay',
  'pass',
] satisfies readonly (ClientMessage | ServerMessage)['t'][])

/** True for messages that would help an eavesdropper; they are sent in `sealed`. */
export const travelsSealed = (message: ClientMessage | ServerMessage): boolean =>
  sealedTypes.has(message.t) ||
  (message.t === 'error' && message.mailbox !== undefined) ||
  (message.t === 'join' && message.pass !== undefined)

const knownToClients: ReadonlySet<string> = new Set(
  serverMessage.options.map((option) => option.shape.t.value),
)

/**
 * Decodes a server's message and drops unknown keys. An unknown `t` becomes `UnknownMessage`, an unknown error code
 * `E_INTERNAL`. Error: `E_SERVER_PROTOCOL`.
 */
export function decodeServerMessage(
  text: string,
): Result<ServerMessage | UnknownMessage, AppError> {
  const raw = parse(text)
  if (!raw.ok) return raw
  const message = anyMessage.safeParse(raw.value)
  return message.success && !knownToClients.has(message.data.t)
    ? ok({ t: 'unknown' })
    : decode(serverMessage, raw.value)
}

/** Decodes the answer of `healthPath`; `E_SERVER_PROTOCOL` if another service answered. */
export function decodeHealth(text: string): Result<Health, AppError> {
  const raw = parse(text)
  return raw.ok ? decode(health, raw.value) : raw
}

/** The text frame of a message. */
export const encode = (message: ClientMessage | ServerMessage | Health): string =>
  JSON.stringify(message)
