/**
 * The life of one nameplate as a pure state machine, (room, event, now) -> (room, effects). It knows no
 * sockets, stores or randomness; events supply ids and nameplates.
 *
 *   none --open--> hosted --host's socket ends--> absent --grace over--> resting --rest over--> none
 *                    ^                              |                       |
 *                    +---------- attach ------------+-----------------------+
 *   hosted --host leaves, or time over--> resting, without an owner: it can't be reclaimed
 */
import { assertNever } from '#shared/assert-never'
import type { ErrorCode } from '#shared/errors'
import { type CloseCode, closeCodes, type ServerMessage } from '#shared/signaling/messages'
import { type Bucket, fullBucket, type Rate, takeToken } from '#signaling/limits/rate-limiter'
import type { PassId } from '#signaling/rooms/passes'

/** One socket, unique over all nodes; never sent to a client. */
export type ConnectionId = string & { readonly brand: 'ConnectionId' }

/**
 * A joiner and the host as they know each other. Both ids are made for this pair alone, so no
 * client can tell that two sessions had the same participant.
 */
export type Pair = {
  readonly joiner: ConnectionId
  /** The id of the joiner, as told to the host. */
  readonly joinerId: string
  /** The id of the host, as told to the joiner. */
  readonly hostId: string
  /** True once the host has admitted the joiner. */
  readonly isGranted: boolean
  /** True if the joiner has a pass. */
  readonly isKnown: boolean
  /** True if the joiner is this server's page in a browser. */
  readonly isPage?: boolean | undefined
  /** The pass that the joiner showed or was given; `null` without one. */
  readonly pass: PassId | null
}

/** A joiner with a pass that waits for an absent host. */
export type Waiting = Pick<Pair, 'joiner' | 'joinerId' | 'hostId' | 'isPage'> & {
  readonly pass: PassId
  /** Delivered to the host when it returns. */
  readonly body?: string | undefined
}

/** A nameplate and its participants; plain data, so that any store can hold it. */
export type Room = {
  readonly nameplate: string
  /** The owner's public key; `null` if the nameplate can't be reclaimed. */
  readonly owner: string | null
  /** The address that started the session, which counts it, see `addressKey`. */
  readonly origin: string
  /** The end of the phase, ms. */
  readonly until: number
  /** True if joiners on the local network can join as well; see network-entrance.ts. */
  readonly isVisible: boolean
  /** Remaining joins of strangers. */
  readonly joins: Bucket
} & (
  | { readonly phase: 'hosted'; readonly host: ConnectionId; readonly pairs: readonly Pair[] }
  /** The host's socket ended recently; joiners with a pass wait for it, and others receive a retry error. */
  | { readonly phase: 'absent'; readonly waiting: readonly Waiting[] }
  /** Kept from reuse, so that a late joiner doesn't meet a stranger. */
  | { readonly phase: 'resting' }
)

/** Times and bounds of every room. */
export type RoomRules = {
  /** Time from the last attach to the end of a session, ms. */
  readonly sessionMs: number
  /** Time after the end of the host's socket in which joiners are told to try again, ms. */
  readonly graceMs: number
  /** Time for which a nameplate is kept from reuse, ms. */
  readonly restMs: number
  /** Maximum number of joiners with a pass, and of joiners without one. */
  readonly maxReceivers: number
  /** Joiners with a pass that can wait for an absent host; at most `maxReceivers`. */
  readonly maxWaiting: number
  /** Characters of the body that a waiting joiner may have sent with its join. */
  readonly maxWaitingChars: number
  readonly joins: Rate
}

/** Name of the node where a pair can have a server relay, empty for a single node; `null` for none. */
export type NodeName = string | null

/** An event of a room. */
export type RoomEvent =
  | {
      readonly type: 'open'
      readonly nameplate: string
      readonly host: ConnectionId
      readonly origin: string
      readonly owner: string
      readonly isVisible?: boolean | undefined
    }
  /** The verified owner is back on a new socket. */
  | {
      readonly type: 'attach'
      readonly host: ConnectionId
      readonly origin: string
      readonly owner: string
      readonly isVisible?: boolean | undefined
      /** The number of sessions is at its limit, so a resting room can't reopen. */
      readonly isFull?: boolean
    }
  | {
      readonly type: 'join'
      readonly joiner: ConnectionId
      readonly joinerId: string
      readonly hostId: string
      /** A valid pass that the joiner showed; the limit for strangers doesn't apply to it. */
      readonly pass: PassId | null
      readonly body?: string | undefined
      /** True for another computer at a server that hosts only this computer's shares. */
      readonly isGuest?: boolean
      /** True for this server's page in a browser. */
      readonly isPage?: boolean | undefined
    }
  | {
      readonly type: 'relay'
      readonly sender: ConnectionId
      readonly to: string
      readonly body: string
    }
  /** The host admits a joiner, which receives `pass` unless it has one. */
  | {
      readonly type: 'grant'
      readonly sender: ConnectionId
      readonly peer: string
      readonly pass: PassId
      readonly relayNode: NodeName
      /** The same for a joiner that is a page. */
      readonly pageNode: NodeName
    }
  /** A participant announced that it leaves. */
  | { readonly type: 'leave'; readonly who: ConnectionId }
  /** A participant's socket ended. */
  | { readonly type: 'drop'; readonly who: ConnectionId }
  /** Time has passed. */
  | { readonly type: 'tick' }

/** An action of the server, in this order. */
export type Effect = { readonly to: ConnectionId } & (
  | { readonly type: 'send'; readonly message: ServerMessage }
  /** A joiner's message for its host. If too many messages wait for the host, the joiner is refused. */
  | {
      readonly type: 'hand-over'
      readonly message: ServerMessage
      readonly joiner: ConnectionId
      /** True if the host neither admitted nor invited it. */
      readonly isStranger: boolean
    }
  /** The connection now takes part in this nameplate. */
  | { readonly type: 'assign'; readonly nameplate: string }
  /** The connection may use relays to this peer; `pair` and `relayNode` are the same for both. */
  | {
      readonly type: 'relays'
      readonly peer: string
      readonly pair: string
      readonly isHost: boolean
      readonly relayNode: NodeName
      /** True if the joiner is a page. */
      readonly isPage: boolean
    }
  /** The connection may return to this nameplate while this owner has it. */
  | {
      readonly type: 'pass'
      readonly nameplate: string
      readonly owner: string
      readonly pass: PassId
    }
  /** Sends an error and closes the socket. */
  | { readonly type: 'refuse'; readonly code: ErrorCode }
  | { readonly type: 'close'; readonly code: CloseCode }
)

/** A room after an event; `null` if its nameplate is free. */
export type Step = { readonly room: Room | null; readonly effects: readonly Effect[] }

type Joining = Extract<RoomEvent, { readonly type: 'join' }>
type Relaying = Extract<RoomEvent, { readonly type: 'relay' }>
type Granting = Extract<RoomEvent, { readonly type: 'grant' }>
type Hosted = Extract<Room, { readonly phase: 'hosted' }>
type Absent = Extract<Room, { readonly phase: 'absent' }>

const send = (to: ConnectionId, message: ServerMessage): Effect => ({ type: 'send', to, message })
const close = (to: ConnectionId, code: CloseCode): Effect => ({ type: 'close', to, code })
const refuse = (to: ConnectionId, code: ErrorCode): Effect => ({ type: 'refuse', to, code })
const handOver = ({ host }: Hosted, pair: Pair, message: ServerMessage): Effect => {
  const { joiner, isGranted, isKnown } = pair
  return { type: 'hand-over', to: host, message, joiner, isStranger: !isGranted && !isKnown }
}
/** The response for a peer of another session is the same as for one that never existed. */
const noSuchPeer = (to: ConnectionId, peer: string): Effect =>
  send(to, { t: 'error', code: 'E_PEER_GONE', peer })

/** All participating sockets: the host, its joiners, and waiting joiners. */
export function participants(room: Room): readonly ConnectionId[] {
  switch (room.phase) {
    case 'hosted':
      return [...room.pairs.map(({ joiner }) => joiner), room.host]
    case 'absent':
      return room.waiting.map(({ joiner }) => joiner)
    case 'resting':
      return []
    default:
      return assertNever(room)
  }
}

/** The room after `event` at `now` (ms), and the resulting effects. */
export function step(before: Room | null, event: RoomEvent, rules: RoomRules, now: number): Step {
  const { room, effects: earlier } = pass(before, rules, now)
  const after = apply(room, event, rules, now)
  return { room: after.room, effects: [...earlier, ...after.effects] }
}

function apply(room: Room | null, event: RoomEvent, rules: RoomRules, now: number): Step {
  switch (event.type) {
    case 'open':
      return room === null
        ? assignHost({ ...event, joins: fullBucket(rules.joins, now) }, rules, now)
        : { room, effects: [refuse(event.host, 'E_NO_SUCH_CODE')] }
    case 'attach':
      return attach(room, event, rules, now)
    case 'join':
      return join(room, event, rules, now)
    case 'relay':
      return relay(room, event)
    case 'grant':
      return grant(room, event)
    case 'leave':
      return leave(room, event.who, rules, now)
    case 'drop':
      return room?.phase === 'hosted' && room.host === event.who
        ? { room: absent(room, rules, now), effects: dismiss(room) }
        : unpair(room, event.who)
    case 'tick':
      return { room, effects: [] }
    default:
      return assertNever(event)
  }
}

/** Ends all phases that have expired, even if several did since the last event. */
function pass(before: Room | null, rules: RoomRules, now: number): Step {
  let room = before
  let effects: readonly Effect[] = []
  while (room !== null && now >= room.until) {
    if (room.phase === 'hosted') effects = [...dismiss(room), close(room.host, closeCodes.ended)]
    if (room.phase === 'absent') {
      effects = [...effects, ...room.waiting.map(({ joiner }) => refuse(joiner, 'E_PEER_GONE'))]
    }
    room = nextPhase(room, rules)
  }
  return { room, effects }
}

function nextPhase(room: Room, rules: RoomRules): Room | null {
  switch (room.phase) {
    case 'hosted':
      return resting(room, null, rules, room.until)
    case 'absent':
      return resting(room, room.owner, rules, room.until)
    case 'resting':
      return null
    default:
      return assertNever(room)
  }
}

type Assignment = {
  readonly nameplate: string
  readonly host: ConnectionId
  readonly origin: string
  readonly owner: string
  readonly isVisible?: boolean | undefined
  readonly joins: Bucket
}

function assignHost(assignment: Assignment, rules: RoomRules, now: number): Step {
  const { nameplate, host, origin, owner, isVisible = false, joins } = assignment
  const ttlS = Math.max(1, Math.floor(rules.sessionMs / 1000))
  const until = now + rules.sessionMs
  return {
    room: { nameplate, owner, origin, until, isVisible, joins, phase: 'hosted', host, pairs: [] },
    effects: [
      { type: 'assign', to: host, nameplate },
      send(host, { t: 'hosted', nameplate, ttlS }),
    ],
  }
}

function attach(
  room: Room | null,
  event: Extract<RoomEvent, { type: 'attach' }>,
  rules: RoomRules,
  now: number,
): Step {
  if (room === null || room.owner !== event.owner) {
    return { room, effects: [refuse(event.host, 'E_NO_SUCH_CODE')] }
  }
  if (room.phase === 'resting' && event.isFull === true) {
    return { room, effects: [refuse(event.host, 'E_SERVER_BUSY')] }
  }
  const { nameplate, joins } = room
  const origin = room.phase === 'resting' ? event.origin : room.origin
  const assigned = assignHost({ ...event, nameplate, joins, origin }, rules, now)
  const replaced =
    room.phase === 'hosted' ? [...dismiss(room), close(room.host, closeCodes.replaced)] : []
  const effects = [...replaced, ...assigned.effects]
  return room.phase === 'absent' && assigned.room?.phase === 'hosted'
    ? introduceAll(assigned.room, room.waiting, effects)
    : { room: assigned.room, effects }
}

/** Introduces waiting joiners in their order of arrival. */
function introduceAll(room: Hosted, waiting: readonly Waiting[], earlier: readonly Effect[]): Step {
  const effects = [...earlier]
  let introduced = room
  for (const who of waiting) {
    const after = introduce(introduced, who)
    introduced = after.room
    effects.push(...after.effects)
  }
  return { room: introduced, effects }
}

function join(room: Room | null, event: Joining, rules: RoomRules, now: number): Step {
  const { joiner } = event
  const isHidden = event.isGuest === true && room?.isVisible !== true
  if (room === null || room.phase === 'resting' || isHidden) {
    return { room, effects: [refuse(joiner, 'E_NO_SUCH_CODE')] }
  }
  const joins = event.pass !== null ? room.joins : takeToken(room.joins, rules.joins, now)
  if (joins === null) return { room, effects: [refuse(joiner, 'E_RATE_LIMITED')] }
  const assignment: Effect = { type: 'assign', to: joiner, nameplate: room.nameplate }
  if (room.phase === 'absent') {
    const after = event.pass === null ? null : wait(room, { ...event, pass: event.pass }, rules)
    return after === null
      ? { room: { ...room, joins }, effects: [refuse(joiner, 'E_PEER_GONE')] }
      : {
          room: after.room,
          effects: [...after.effects, assignment, send(joiner, { t: 'waiting' })],
        }
  }
  const isKnown = event.pass !== null
  const { room: others, effects: earlier } = withoutPass(room, event.pass)
  if (others.pairs.filter((pair) => pair.isKnown === isKnown).length >= rules.maxReceivers) {
    return { room: { ...room, joins }, effects: [refuse(joiner, 'E_TOO_MANY_RECEIVERS')] }
  }
  const { room: joined, effects } = introduce({ ...others, joins }, event)
  return { room: joined, effects: [...earlier, assignment, ...effects] }
}

/** Each pass has one pair, as it has one place to wait; the older socket may have broken unnoticed. */
function withoutPass(room: Hosted, pass: PassId | null) {
  const older = pass === null ? [] : room.pairs.filter((pair) => pair.pass === pass)
  return {
    room: { ...room, pairs: room.pairs.filter((pair) => !older.includes(pair)) },
    effects: older.flatMap(({ joiner, joinerId }) => [
      close(joiner, closeCodes.replaced),
      send(room.host, { t: 'gone', peer: joinerId }),
    ]),
  }
}

/**
 * Adds a waiting joiner; `null` if there is no place. Each pass has one place, which goes to the newest
 * socket: an older one may have broken unnoticed.
 */
function wait(room: Absent, who: Waiting, rules: RoomRules): Step | null {
  const { joiner, joinerId, hostId, body, isPage } = who
  const others = room.waiting.filter((other) => other.pass !== who.pass)
  if (others.length >= rules.maxWaiting || (body?.length ?? 0) > rules.maxWaitingChars) return null
  const waiting = [...others, { joiner, joinerId, hostId, pass: who.pass, body, isPage }]
  const replaced = room.waiting.filter((other) => other.pass === who.pass)
  return {
    room: { ...room, waiting },
    effects: replaced.map((other) => refuse(other.joiner, 'E_PEER_GONE')),
  }
}

function introduce(
  room: Hosted,
  joining: Omit<Joining, 'type'>,
): { readonly room: Hosted; readonly effects: readonly Effect[] } {
  const { joiner, joinerId, hostId, pass, body, isPage } = joining
  const pair = { joiner, joinerId, hostId, pass, isKnown: pass !== null, isPage, isGranted: false }
  return {
    room: { ...room, pairs: [...room.pairs, pair] },
    effects: [
      send(joiner, { t: 'joined', peer: hostId }),
      handOver(room, pair, { t: 'peer', peer: joinerId, ...(body !== undefined && { body }) }),
    ],
  }
}

function relay(room: Room | null, { sender, to, body }: Relaying): Step {
  if (room?.phase === 'hosted') {
    for (const pair of room.pairs) {
      if (room.host === sender && to === pair.joinerId) {
        return { room, effects: [send(pair.joiner, { t: 'relay', from: pair.hostId, body })] }
      }
      if (pair.joiner === sender && to === pair.hostId) {
        return { room, effects: [handOver(room, pair, { t: 'relay', from: pair.joinerId, body })] }
      }
    }
  }
  return { room, effects: [noSuchPeer(sender, to)] }
}

const withPair = (room: Hosted, pair: Pair, change: Partial<Pair>): Hosted => ({
  ...room,
  pairs: room.pairs.map((other) => (other === pair ? { ...pair, ...change } : other)),
})

/** Grants each pair once, so that no client obtains more credentials than it has pairs. */
function grant(room: Room | null, granting: Granting): Step {
  const { sender, peer, pass: given } = granting
  const pairs = room?.phase === 'hosted' && room.host === sender ? room.pairs : []
  const granted = pairs.find(({ joinerId }) => joinerId === peer)
  if (room?.phase !== 'hosted' || granted === undefined) {
    return { room, effects: [noSuchPeer(sender, peer)] }
  }
  if (granted.isGranted) return { room, effects: [] }
  const { joiner, joinerId, hostId, isKnown, isPage = false } = granted
  const { nameplate, owner } = room
  const pass = isKnown || owner === null ? granted.pass : given
  const relayNode = isPage ? granting.pageNode : granting.relayNode
  const meeting = { pair: joinerId, relayNode, isPage }
  return {
    room: withPair(room, granted, { isGranted: true, pass }),
    effects: [
      { type: 'relays', to: room.host, peer: joinerId, isHost: true, ...meeting },
      { type: 'relays', to: joiner, peer: hostId, isHost: false, ...meeting },
      ...(isKnown || owner === null
        ? []
        : [{ type: 'pass', to: joiner, nameplate, owner, pass: given } as const]),
    ],
  }
}

/** Ends every pair of a room whose host leaves: a pair never outlives the socket of either side. */
const dismiss = (room: Hosted): readonly Effect[] =>
  room.pairs.flatMap(({ joiner, hostId }) => [
    send(joiner, { t: 'gone', peer: hostId }),
    close(joiner, closeCodes.ended),
  ])

function leave(room: Room | null, who: ConnectionId, rules: RoomRules, now: number): Step {
  const left =
    room?.phase === 'hosted' && room.host === who
      ? { room: resting(room, null, rules, now), effects: dismiss(room) }
      : unpair(room, who)
  return { room: left.room, effects: [...left.effects, close(who, closeCodes.normal)] }
}

/** Removes a joiner, if it is in the room. */
function unpair(room: Room | null, who: ConnectionId): Step {
  if (room?.phase === 'absent') {
    const waiting = room.waiting.filter(({ joiner }) => joiner !== who)
    return { room: { ...room, waiting }, effects: [] }
  }
  if (room?.phase !== 'hosted') return { room, effects: [] }
  const gone = room.pairs.find(({ joiner }) => joiner === who)
  if (gone === undefined) return { room, effects: [] }
  return {
    room: { ...room, pairs: room.pairs.filter((pair) => pair !== gone) },
    effects: [send(room.host, { t: 'gone', peer: gone.joinerId })],
  }
}

const absent = (room: Room, rules: RoomRules, now: number): Room => ({
  ...lasting(room),
  phase: 'absent',
  waiting: [],
  until: now + rules.graceMs,
})

const resting = (room: Room, owner: string | null, rules: RoomRules, now: number): Room => ({
  ...lasting(room),
  owner,
  phase: 'resting',
  until: now + rules.restMs,
})

/** The fields of a room in every phase. */
const lasting = ({ nameplate, owner, origin, isVisible, joins }: Room) => ({
  nameplate,
  owner,
  origin,
  isVisible,
  joins,
})
