/**
 * The file that keeps the sessions of a single node beyond its end: a line for each change, appended before
 * anybody is told of it, and written anew when most lines are old. What is kept is who owns which nameplate;
 * sockets, joiners and messages are not.
 */
import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { serverText } from '#signaling/config/text'
import type { Room } from '#signaling/rooms/rooms'

/** What is kept of a room: `hosted` has no host in a file. */
export type KeptRoom = Pick<Room, 'nameplate' | 'owner' | 'origin' | 'until' | 'phase'>

/** The first line: what it is, and the key of the passes that were given, base64. */
type Head = { readonly sessions: 1; readonly passKey: string }

/** Lines beyond twice the number of rooms, before the file is written anew. */
const spareLines = 10_000

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

/** What is kept of this room. */
export const keptOf = ({ nameplate, owner, origin, until, phase }: Room): KeptRoom => ({
  nameplate,
  owner,
  origin,
  until,
  phase,
})

/** A file that is open for appending; only its owner may read it. */
export class SessionJournal {
  readonly #path: string
  #file: number | null = null
  #lines = 0
  /** The key of the passes, base64. */
  readonly passKey: string
  /** What the file had. */
  readonly rooms: ReadonlyMap<string, KeptRoom>

  private constructor(path: string, passKey: string, rooms: ReadonlyMap<string, KeptRoom>) {
    this.#path = path
    this.passKey = passKey
    this.rooms = rooms
  }

  /**
   * Opens the file, or makes one with this key. Errors: `E_BAD_ARGUMENT` when it can't be read or written,
   * or is something else.
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

  /** Notes what a nameplate has become. Throws when the disk doesn't take it. */
  note(room: KeptRoom): void {
    this.#append(lineOf(room))
  }

  /** Notes that a nameplate is free. Throws when the disk doesn't take it. */
  noteFree(nameplate: string): void {
    this.#append(lineOf({ nameplate, phase: 'free' }))
  }

  /** Whether most of the file is of the past, for so many rooms. */
  isLong(rooms: number): boolean {
    return this.#lines > 2 * rooms + spareLines
  }

  /** Writes the file anew; the old one stays until the new one is whole. Throws when the disk doesn't take it. */
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

  /** Ends it; nothing can be noted any more. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }

  #append(line: string): void {
    if (this.#file === null) return
    const written = writeSync(this.#file, line)
    if (written < Buffer.byteLength(line)) throw new Error('the disk took a part of a line')
    this.#lines += 1
  }
}

/** What a file says; nothing at all when there is none, `null` when it is none of these files. */
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
    // The last line may be half of one: nobody was told of it.
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
