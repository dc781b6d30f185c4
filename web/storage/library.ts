/** The receives that this origin's pages keep, and whether another page uses them. */
import { KeptFiles, maxInMemory } from './kept-files'
import { deletePrivateFile, privateFiles } from './places'
import { Records, type SavedReceive } from './records'

/** Time for another page to say that it uses a receive, ms. */
const answerMs = 300

/** The ids of receives that no later attempt finds begin with this. */
const once = 'once-'

type Word = { readonly asks?: string; readonly uses?: string }

/** All receives of this origin; without `records`, a browser's database, `maxBytes` are kept in memory. */
export class Library {
  readonly #records: Records | null
  readonly #channel: BroadcastChannel | null
  readonly #maxBytes: number
  readonly #used = new Set<string>()
  readonly #others = new Set<string>()

  constructor(records: Records | null, channel: BroadcastChannel | null, maxBytes = maxInMemory) {
    this.#maxBytes = maxBytes
    this.#records = records
    this.#channel = channel
    if (channel !== null) channel.onmessage = ({ data }: { data: Word }) => this.#hear(data)
  }

  /** Opens the origin's database, and deletes what is too old. */
  static async open(): Promise<Library> {
    const records = await Records.open().catch(() => null)
    const library = new Library(records, new BroadcastChannel('thruflux'))
    await library.#expire()
    return library
  }

  /** Receives that can be resumed and that no other page uses, the latest first. */
  async list(): Promise<readonly SavedReceive[]> {
    const all = (await this.#records?.list()) ?? []
    const used = await this.#usedOf(all.map(({ id }) => id))
    return all.filter(({ id }) => !used.has(id))
  }

  /** The receive that a code led to before. */
  async receiveOf(code: string): Promise<SavedReceive | null> {
    return (await this.list()).find((each) => each.code === code) ?? null
  }

  /** Opens the files of a sender with a proved origin, or new ones that no later attempt finds. */
  async open(origin: string | null): Promise<KeptFiles> {
    const isUsed = origin !== null && (await this.#usedOf([origin])).has(origin)
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
    const id = origin === null || isUsed ? `${once}${number}` : origin
    this.#used.add(id)
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

  /** Deletes a receive with everything that has arrived. */
  async delete(id: string): Promise<void> {
    await this.#records?.delete(id)
    await deletePrivateFile(id)
  }

  async #expire(): Promise<void> {
    await this.#records?.expire()
    const known = new Set((await this.#records?.list())?.map(({ id }) => id))
    const stored = new Set([...(await privateFiles()), ...((await this.#records?.ids()) ?? [])])
    const unknown = [...stored].filter((id) => !known.has(id))
    const used = await this.#usedOf(unknown)
    for (const id of unknown) if (!used.has(id)) await this.delete(id)
  }

  /** Selects the receives that another page uses. */
  async #usedOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0 || this.#channel === null) return new Set()
    this.#others.clear()
    for (const id of ids) this.#channel.postMessage({ asks: id })
    await new Promise((resolve) => setTimeout(resolve, answerMs))
    return new Set(this.#others)
  }

  #hear({ asks, uses }: Word): void {
    if (asks !== undefined && this.#used.has(asks)) this.#channel?.postMessage({ uses: asks })
    if (uses !== undefined) this.#others.add(uses)
  }
}
