import type { AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'
import type { Clock } from '#signaling/clock'
import { fullBucket } from '#signaling/limits/rate-limiter'
import type { Log } from '#signaling/log'
import { MemoryStore } from '#signaling/rooms/memory-store'
import type { Room, RoomRules } from '#signaling/rooms/rooms'
import { keptOf, type KeptRoom, SessionJournal } from '#signaling/rooms/session-journal'
import { inMemoryState, type StateFactory } from '#signaling/rooms/shared-state'

/** Keeps the rooms of one process in memory, and the owners of nameplates in a file as well. */
class JournalStore extends MemoryStore {
  readonly #journal: SessionJournal
  readonly #log: Log
  /** A short form of the file's entry for each nameplate. */
  readonly #noted = new Map<string, string>()
  #isFailing = false

  constructor(journal: SessionJournal, rules: RoomRules, clock: Clock, log: Log) {
    super()
    this.#journal = journal
    this.#log = log
    const now = clock.now()
    for (const kept of journal.rooms.values()) {
      if (kept.until > now || kept.phase !== 'resting') {
        super.put(kept.nameplate, restored(kept, rules, now))
        this.#noted.set(kept.nameplate, inShort(kept))
      }
    }
  }

  protected override put(nameplate: string, room: Room | null): void {
    super.put(nameplate, room)
    const short = room === null ? undefined : inShort(room)
    if (this.#noted.get(nameplate) === short) return
    if (short === undefined) this.#noted.delete(nameplate)
    else this.#noted.set(nameplate, short)
    this.#write(() => {
      // After a failure, it is unknown how much of the last line was written.
      if (this.#isFailing || this.#journal.isLong(this.#noted.size)) {
        this.#journal.rewrite([...this.rooms()].map(keptOf))
      } else if (room === null) this.#journal.noteFree(nameplate)
      else this.#journal.note(keptOf(room))
    })
  }

  /** A failing disk ends no share; the next change tries again. */
  #write(write: () => void): void {
    try {
      write()
      this.#isFailing = false
    } catch (reason) {
      if (!this.#isFailing) this.#log({ event: 'failed', stack: String(reason) })
      this.#isFailing = true
    }
  }
}

const inShort = ({ phase, until, owner }: KeptRoom): string => `${phase} ${until} ${owner ?? ''}`

/** A host that was connected or absent has as long to return as after the loss of its socket. */
function restored(kept: KeptRoom, rules: RoomRules, now: number): Room {
  const { phase } = kept
  const lasting = { ...kept, isVisible: false, joins: fullBucket(rules.joins, now) }
  if (phase === 'resting') return { ...lasting, phase }
  if (phase === 'hosted' && kept.until <= now) {
    return { ...lasting, owner: null, phase: 'resting', until: kept.until + rules.restMs }
  }
  return { ...lasting, phase: 'absent', waiting: [], until: now + rules.graceMs }
}

/**
 * The state of a single-node service, with a file of the owners of nameplates. Error: `E_BAD_ARGUMENT`
 * with the file.
 */
export function journalState(path: string, newPassKey: Buffer): Result<StateFactory, AppError> {
  const journal = SessionJournal.open(path, newPassKey.toString('base64'))
  if (!journal.ok) return journal
  return ok((node) => {
    const { passKey } = journal.value
    node.passes.key = Buffer.from(passKey, 'base64')
    const store = new JournalStore(journal.value, node.rules.rooms, node.clock, node.log)
    const state = inMemoryState(store)(node)
    return {
      ...state,
      close: async () => {
        await state.close()
        journal.value.close()
      },
    }
  })
}
