/**
 * A file that preserves the sessions of a single node: one line per change, appended before any client
 * learns of the change, and rewritten when most lines are obsolete. It contains the owners of nameplates,
 * but no sockets, joiners or messages.
 */
import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { serverText } from '#signaling/config/text'
import type { Room } from '#signaling/rooms/rooms'

/** The stored part of a room; `hosted` has no host in a file. */
export type KeptRoom = Pick<Room, 'nameplate' | 'owner' | 'origin' | 'until' | 'phase'>

/** The first line: the format, and the key of issued passes in base64. */
type Head = { readonly sessions: 1; readonly passKey: string }

/** Lines beyond twice the number of rooms before the file is rewritten. */
const spareLines = 10_000

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

/** The stored part of this room. */
export const keptOf = ({ nameplate, owner, origin, until, phase }: Room): KeptRoom => ({
  nameplate,
  owner,
  origin,
  until,
  phase,
})

/** A file open for appending, readable only by its owner. */
export class SessionJournal {
  readonly #path: string
  #file: number | null = null
  #lines = 0
  /** The key of the passes, base64. */
  readonly passKey: string
  /** The rooms read from the file. */
  readonly rooms: ReadonlyMap<string, KeptRoom>

  private constructor(path: string, passKey: string, rooms: ReadonlyMap<string, KeptRoom>) {
    this.#path = path
    this.passKey = passKey
    this.rooms = rooms
  }

  /**
   * Opens the file, or creates it with this key. Error: `E_BAD_ARGUMENT` if it can't be read or written, or
   * has another format.
   */
  static open(path: string, newPassKey: string): Result<SessionJournal, AppError> {
    try {
      const read = readJournal(path)
      if (read === null) {
        return err(appError('E_BAD_ARGUMENT', serverText.noStateFile(path), path))
      }
      const { passKey = newPassKey, rooms } = read
      const journal = new SessionJournal(path, passKey, rooms)
      journal.rewrite(rooms.values())
      return ok(journal)
    } catch (reason) {
      const detail = serverText.stateFileFails(path, (reason as Error).message)
      return err(appError('E_BAD_ARGUMENT', detail, path))
    }
  }

  /** Records the new state of a nameplate. Throws if the disk fails. */
  note(room: KeptRoom): void {
    this.#append(lineOf(room))
  }

  /** Records that a nameplate is free. Throws if the disk fails. */
  noteFree(nameplate: string): void {
    this.#append(lineOf({ nameplate, phase: 'free' }))
  }

  /** True if most lines are obsolete, for this number of rooms. */
  isLong(rooms: number): boolean {
    return this.#lines > 2 * rooms + spareLines
  }

  /** Rewrites the file; the old one stays until the new one is complete. Throws if the disk fails. */
  rewrite(rooms: Iterable<KeptRoom>): void {
    const next = `${this.#path}.new`
    const file = openSync(next, 'w', 0o600)
    const head: Head = { sessions: 1, passKey: this.passKey }
    let lines = 0
    try {
      let text = lineOf(head)
      for (const room of rooms) {
        text += lineOf(room)
        lines += 1
        if (text.length < 65_536) continue
        writeSync(file, text)
        text = ''
      }
      writeSync(file, text)
      renameSync(next, this.#path)
    } catch (reason) {
      closeSync(file)
      throw reason
    }
    this.close()
    this.#file = file
    this.#lines = lines
  }

  /** Closes the file; nothing can be recorded after that. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }

  #append(line: string): void {
    if (this.#file === null) return
    const written = writeSync(this.#file, line)
    if (written < Buffer.byteLength(line))
      throw new Error('the disk accepted only a part of a line')
    this.#lines += 1
  }
}

/** Reads a file; the result is empty without a file, and `null` for another format. */
function readJournal(
  path: string,
): { readonly passKey?: string; readonly rooms: ReadonlyMap<string, KeptRoom> } | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === 'ENOENT') return { rooms: new Map() }
    throw reason
  }
  if (text === '') return { rooms: new Map() }
  const rooms = new Map<string, KeptRoom>()
  const [first = '', ...lines] = text.split('\n')
  const head = parsed(first) as Partial<Head> | null
  if (head?.sessions !== 1 || typeof head.passKey !== 'string') return null
  for (const line of lines) {
    // The last line may be incomplete; no client learned of its change.
    const room = parsed(line)
    if (room === null || typeof room !== 'object') continue
    const { nameplate, phase } = room as { readonly nameplate?: unknown; readonly phase?: unknown }
    if (typeof nameplate !== 'string') continue
    if (phase === 'free') rooms.delete(nameplate)
    else if (isKept(room)) rooms.set(nameplate, room as KeptRoom)
  }
  return { passKey: head.passKey, rooms }
}

const isKept = ({ nameplate, owner, origin, until, phase }: Partial<KeptRoom>): boolean =>
  /^[1-9][0-9]{3,5}$/.test(nameplate ?? '') &&
  (owner === null || typeof owner === 'string') &&
  typeof origin === 'string' &&
  typeof until === 'number' &&
  (phase === 'hosted' || phase === 'absent' || phase === 'resting')

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
