/**
 * Rooms in Redis. The state machine decides here about an event, and one script applies the result if the
 * room hasn't changed since it was read.
 */
import type { Clock } from '#signaling/clock'
import type { RedisLink } from '#signaling/redis/link'
import type { Member } from '#signaling/redis/member'
import { byNode, nodeOf } from '#signaling/redis/outbox'
import type {
  Creation,
  Need,
  RoomStore,
  SessionBounds,
  Terms,
  Usage,
} from '#signaling/rooms/room-store'
import { type Effect, participants, type Room } from '#signaling/rooms/rooms'
import { StoreError } from '#signaling/rooms/store-error'
import { networksOf } from '#signaling/socket/address'

/** Attempts before giving up, and before the other nodes have to wait. */
const maxAttempts = 64
const patientAttempts = 3

/** Pause while another node has its turn. */
const waitMs = 3

/** Rooms cached by this node. */
const maxKnown = 2048

/** Nameplates swept at a time. */
const maxDue = 4096

type Change = Parameters<RoomStore['update']>[1]

/** A room in Redis; version `-` if there is none. */
type Known = { readonly version: string; readonly room: Room | null }

/** The store that nodes share. */
export class RedisRooms implements RoomStore {
  deliver: (effects: readonly Effect[]) => void = () => undefined
  readonly #link: RedisLink
  readonly #member: Member
  readonly #clock: Clock
  #counted: { readonly usage: Usage; readonly at: number } | null = null
  /** Ordered by last use. */
  readonly #known = new Map<string, Known>()
  /** This node's changes of each nameplate, one after another. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(link: RedisLink, member: Member, clock: Clock) {
    this.#link = link
    this.#member = member
    this.#clock = clock
  }

  /** Clears the cache. */
  forget(): void {
    this.#known.clear()
  }

  async usage(ageMs = 0): Promise<Usage> {
    this.#member.mustBeIn()
    const now = this.#clock.now()
    if (this.#counted !== null && now - this.#counted.at < ageMs) return this.#counted.usage
    const [phases = {}, taken = {}] = await this.#link.hashes('phases', 'taken')
    const of = (counts: Readonly<Record<string, string>>, key: string) => Number(counts[key] ?? 0)
    const usage: Usage = {
      phases: {
        hosted: of(phases, 'hosted'),
        absent: of(phases, 'absent'),
        resting: of(phases, 'resting'),
      },
      taken: { 4: of(taken, '4'), 5: of(taken, '5'), 6: of(taken, '6') },
    }
    this.#counted = { usage, at: now }
    return usage
  }

  async create(room: Room, terms: Terms, effects: readonly Effect[]): Promise<Creation> {
    this.#member.mustBeIn()
    const op = this.#member.newName()
    const [creation, seq] = await this.#link.run('create', [
      ...[this.#member.id, op, room.nameplate, countOf(room), JSON.stringify(room)],
      terms.recycle ? 1 : 0,
      ...boundsOf(room, terms),
      ...byNode(effects),
    ])
    if (creation === 'evicted') throw this.#evicted()
    if (creation === 'kept') {
      this.#remember(room.nameplate, { version: op, room })
      await this.#member.delivered(Number(seq))
    }
    return creation as Creation
  }

  async findByOwner(owner: string): Promise<string | null> {
    this.#member.mustBeIn()
    return this.#link.field('owners', owner)
  }

  async ownerOf(nameplate: string): Promise<string | null> {
    this.#member.mustBeIn()
    return (await this.#load(nameplate)).room?.owner ?? null
  }

  update(
    nameplate: string,
    change: Change,
    need: Need = 'running',
    bounds?: SessionBounds,
  ): Promise<readonly Effect[]> {
    const before = this.#turns.get(nameplate) ?? Promise.resolve()
    const turn = before.then(() => this.#update(nameplate, change, need, bounds))
    const settled = turn.catch(() => undefined)
    this.#turns.set(nameplate, settled)
    void settled.then(() => {
      if (this.#turns.get(nameplate) === settled) this.#turns.delete(nameplate)
    })
    // The next change needn't wait for the delivery of this one's effects.
    return turn.then(async ({ effects, seq }) => {
      await this.#member.delivered(seq)
      return effects
    })
  }

  async due(now: number): Promise<readonly string[]> {
    this.#member.mustBeIn()
    return this.#link.due('due', now, maxDue)
  }

  async #update(
    nameplate: string,
    change: Change,
    need: Need,
    bounds?: SessionBounds,
  ): Promise<{ readonly effects: readonly Effect[]; readonly seq: number }> {
    this.#member.mustBeIn()
    const script = need === 'new' ? 'commitNew' : 'commitRunning'
    let known = this.#known.get(nameplate) ?? (await this.#load(nameplate))
    let changes = 0
    let isFull = false
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { room, effects } = change(known.room, isFull)
      const isSame = room === known.room
      const op = this.#member.newName()
      this.#known.delete(nameplate)
      const [state, answer] = await this.#link.run(script, [
        ...[this.#member.id, op, nameplate, known.version],
        ...(isSame ? ['', '='] : room === null ? ['', ''] : [countOf(room), JSON.stringify(room)]),
        changes >= patientAttempts ? 1 : 0,
        ...boundsOf(room, isFull ? undefined : bounds),
        ...byNode(effects),
      ])
      if (state === 'evicted') throw this.#evicted()
      if (state === 'kept') {
        this.#remember(nameplate, isSame ? known : { version: room === null ? '-' : op, room })
        return { effects, seq: Number(answer) }
      }
      if (state === 'full') isFull = true
      else if (state === 'wait') await this.#member.pause(waitMs)
      else {
        known = parsed(String(answer))
        changes += 1
      }
    }
    throw new StoreError('conflict')
  }

  async #load(nameplate: string): Promise<Known> {
    return parsed((await this.#link.field('rooms', nameplate)) ?? '')
  }

  #remember(nameplate: string, known: Known): void {
    this.#known.delete(nameplate)
    if (known.room === null) return
    this.#known.set(nameplate, known)
    if (this.#known.size <= maxKnown) return
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest)
      return
    }
  }

  #evicted(): StoreError {
    this.#member.lose()
    return new StoreError('evicted')
  }
}

function parsed(text: string): Known {
  if (text === '') return { version: '-', room: null }
  const [version = '-', , room = 'null'] = text.split('\n', 3)
  return { version, room: JSON.parse(room) as Room }
}

/** Bounds as arguments of scripts: in total, per address, and the networks of the room's origin with their limits. */
function boundsOf(room: Room | null, bounds?: SessionBounds): readonly (string | number)[] {
  if (room === null || bounds === undefined) return ['', '', 0]
  const networks = networksOf(room.origin)
  return [
    ...[bounds.maxSessions, bounds.maxPerAddress ?? '', networks.length],
    ...networks.flatMap(({ key, worth }) => [key, worth]),
  ]
}

/** The counted and indexed fields of a room. */
const countOf = (room: Room): string =>
  JSON.stringify({
    phase: room.phase,
    owner: room.owner ?? '',
    networks: networksOf(room.origin).map(({ key }) => key),
    until: Number.isFinite(room.until) ? String(Math.ceil(room.until)) : '+inf',
    nodes: [...new Set(participants(room).map((who) => nodeOf(who)))].sort(),
  })
