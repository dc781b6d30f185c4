/** The receives that this origin's pages keep. A lock says which of them a page uses. */
import { KeptFiles, maxInMemory } from './kept-files'
import { deletePrivateFile, privateFiles } from './places'
import { Records, type SavedReceive } from './records'
import type { TabLocks } from './tab-locks'

/** The ids of receives that no later attempt finds begin with this. */
const once = 'once-'

const lockOf = (id: string): string => `receive ${id}`

/** All receives of this origin; without `records`, a browser's database, `maxBytes` are kept in memory. */
export class Library {
  readonly #records: Records | null
  readonly #locks: TabLocks | null
  readonly #maxBytes: number

  constructor(records: Records | null, locks: TabLocks | null, maxBytes = maxInMemory) {
    this.#maxBytes = maxBytes
    this.#records = records
    this.#locks = locks
  }

  /** Opens the origin's database, and deletes what is too old. */
  static async open(locks: TabLocks): Promise<Library> {
    const records = await Records.open().catch(() => null)
    const library = new Library(records, locks)
    await library.#expire()
    return library
  }

  /** Receives that can be resumed and that no other page uses, the latest first. */
  async list(): Promise<readonly SavedReceive[]> {
    const all = (await this.#records?.list()) ?? []
    const used = await this.#usedOf(all.map(({ id }) => id))
    return all.filter(({ id }) => !used.has(id))
  }

  /** The receive that a code led to before. The page holds the code's lock. */
  async receiveOf(code: string): Promise<SavedReceive | null> {
    return (await this.#records?.list())?.find((each) => each.code === code) ?? null
  }

  /** Opens the files of a sender with a proved origin, or new ones that no later attempt finds. */
  async open(origin: string | null): Promise<KeptFiles> {
    const isKnown = origin !== null && (await this.#locks?.take(lockOf(origin))) !== false
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
    const id = isKnown ? origin : `${once}${number}`
    if (!isKnown) void this.#locks?.take(lockOf(id))
    return KeptFiles.open(id, this.#records, this.#maxBytes)
  }

  async remember(receive: SavedReceive): Promise<void> {
    if (this.#records !== null && !receive.id.startsWith(once))
      await this.#records.saveReceive(receive)
  }

  /** Nothing is left to resume. What has arrived is deleted when the next page opens, unless this one still shows it. */
  async complete(id: string): Promise<void> {
    await this.#records?.complete(id)
  }

  /** Deletes a receive with everything that has arrived; false if another page uses it. */
  async delete(id: string): Promise<boolean> {
    const isFree = (await this.#locks?.take(lockOf(id))) !== false
    if (isFree) await this.#erase(id)
    return isFree
  }

  async #erase(id: string): Promise<void> {
    await this.#records?.delete(id)
    await deletePrivateFile(id)
    this.#locks?.release(lockOf(id))
  }

  async #expire(): Promise<void> {
    await this.#records?.expire()
    const known = new Set((await this.#records?.list())?.map(({ id }) => id))
    const stored = new Set([...(await privateFiles()), ...((await this.#records?.ids()) ?? [])])
    const unknown = [...stored].filter((id) => !known.has(id))
    const used = await this.#usedOf(unknown)
    for (const id of unknown) if (!used.has(id)) await this.#erase(id)
  }

  /** Selects the receives that another page uses. */
  async #usedOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const held = (await this.#locks?.heldElsewhere(ids.map(lockOf))) ?? new Set()
    return new Set(ids.filter((id) => held.has(lockOf(id))))
  }
}
