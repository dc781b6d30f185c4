/**
 * Receives that were accepted and are not complete, in the file `transfers.json`: what it takes to
 * go on after a restart. A join code is no part of it. Several programs may share the file, so every
 * change is made to what the file says at that moment.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { TransferId, Unfinished } from '#shared/app-state'
import { withUnfinished } from '#shared/reduce'
import { unfinishedListSchema } from '#shared/unfinished'

const fileName = 'transfers.json'

/** Far above what a full list with long selections takes. */
const largestFileBytes = 64 * 1024 * 1024

const fileSchema = z.object({ version: z.literal(1), transfers: unfinishedListSchema })

type Change = (list: readonly Unfinished[]) => readonly Unfinished[]

/** What is remembered across restarts. */
export class UnfinishedFile {
  readonly #directory: string
  readonly #path: string
  #writing: Promise<void> = Promise.resolve()

  /** `directory` is absolute and created when there is something to remember. */
  constructor(directory: string) {
    this.#directory = directory
    this.#path = join(directory, fileName)
  }

  /** The list, newest first; empty when there is no file, or one that makes no sense. */
  read(): readonly Unfinished[] {
    try {
      if (statSync(this.#path).size > largestFileBytes) return []
      return decode(readFileSync(this.#path, 'utf8')) ?? []
    } catch {
      return []
    }
  }

  /** Remembers `entry` in place of the one with the same id. */
  note(entry: Unfinished): void {
    this.#change((list) => withUnfinished(list, entry))
  }

  /** Remembers these no more. */
  remove(transfers: ReadonlySet<TransferId>): void {
    this.#change((list) => list.filter(({ transfer }) => !transfers.has(transfer)))
  }

  /** Resolves when everything asked for so far is on the disk, or could not be written. */
  async settled(): Promise<void> {
    await this.#writing
  }

  #change(change: Change): void {
    // A full or read-only disk loses a reminder, never a transfer.
    this.#writing = this.#writing.then(() => this.#rewrite(change)).catch(() => undefined)
  }

  async #rewrite(change: Change): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const transfers = change(await this.#readForChange())
    const temporary = `${this.#path}.${randomBytes(6).toString('hex')}.tmp`
    try {
      await writeDurably(temporary, JSON.stringify({ version: 1, transfers }))
      await rename(temporary, this.#path)
    } catch (reason) {
      await rm(temporary, { force: true })
      throw reason
    }
  }

  /** A file that makes no sense is moved aside, for whoever wants to look at it. */
  async #readForChange(): Promise<readonly Unfinished[]> {
    let list: readonly Unfinished[] | null
    try {
      const { size } = await stat(this.#path)
      list = size > largestFileBytes ? null : decode(await readFile(this.#path, 'utf8'))
    } catch (reason) {
      if ((reason as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw reason
    }
    if (list === null) await rename(this.#path, `${this.#path}.bad`)
    return list ?? []
  }
}

/** `null` for text that is not such a file. */
function decode(text: string): readonly Unfinished[] | null {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data.transfers : null
  } catch {
    return null
  }
}

/** Readable by this account only: it tells which folders are received into. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
