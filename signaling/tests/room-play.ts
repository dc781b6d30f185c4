/** Plays events of one nameplate, and prints their effects. */
import type { PassId } from '#signaling/rooms/passes'
import {
  type ConnectionId,
  type Effect,
  type RoomEvent,
  type RoomRules,
  type Step,
  step,
} from '#signaling/rooms/rooms'

export const rules: RoomRules = {
  sessionMs: 1_000_000,
  graceMs: 10_000,
  restMs: 100_000,
  maxReceivers: 2,
  maxWaiting: 2,
  maxWaitingChars: 10,
  joins: { perMinute: 3, burst: 3 },
}

export const connection = (name: string) => name as ConnectionId
export const host = connection('host')
export const alice = connection('alice')
export const bob = connection('bob')

export const open: Extract<RoomEvent, { type: 'open' }> = {
  type: 'open',
  nameplate: '4821',
  host,
  origin: '203.0.113.7',
  owner: 'the owner',
}
export const passOf = (name: string) => `pass of ${name}` as PassId
export const join = (joiner: ConnectionId, pass: PassId | null = null): RoomEvent => ({
  type: 'join',
  joiner,
  joinerId: `${joiner} for host`,
  hostId: `host for ${joiner}`,
  pass,
})
export const attach = (to: string, owner = 'the owner'): RoomEvent => ({
  type: 'attach',
  host: connection(to),
  origin: '203.0.113.7',
  owner,
})
export const relay = (sender: ConnectionId, to: string): RoomEvent => ({
  type: 'relay',
  sender,
  to,
  body: 'sealed',
})

export const grant = (sender: ConnectionId, peer: string): RoomEvent => ({
  type: 'grant',
  sender,
  peer,
  pass: passOf(peer),
  relayNode: null,
  pageNode: '',
})

export const drop = (who: ConnectionId): RoomEvent => ({ type: 'drop', who })
export const leave = (who: ConnectionId): RoomEvent => ({ type: 'leave', who })

/** An event, with its time in ms if that isn't its index. */
type Timed = RoomEvent | readonly [at: number, event: RoomEvent]

/** Applies events at their times; the effects are those of the last one. */
export const play = (...events: readonly Timed[]): Step =>
  events.reduce<Step>(
    ({ room }, timed, index) => {
      const [at, event] = 'type' in timed ? [index, timed] : timed
      return step(room, event, rules, at)
    },
    { room: null, effects: [] },
  )

/** One line per effect: `alice < gone host for alice`, `alice x 4003`. */
export const lines = (effects: readonly Effect[]): readonly string[] =>
  effects.map((effect) => {
    if (effect.type === 'assign') return `${effect.to} = ${effect.nameplate}`
    if (effect.type === 'refuse') return `${effect.to} ! ${effect.code}`
    if (effect.type === 'relays') return `${effect.to} + relays to ${effect.peer}`
    if (effect.type === 'pass') return `${effect.to} + ${effect.pass} at ${effect.owner}`
    if (effect.type === 'close') return `${effect.to} x ${effect.code}`
    const { t, ...rest } = effect.message
    const values: readonly unknown[] = Object.values(rest)
    return `${effect.to} < ${[t, ...values].join(' ')}`
  })
