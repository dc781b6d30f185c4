/** The database of receives that can be resumed: what each one has, in IndexedDB. */

/** One receive. The browser gives it to pages of the same origin alone. */
export type SavedReceive = {
  /** The sender's id from its proof of origin. */
  readonly id: string
  readonly code: string
  /** 16 random bytes that the sender knows the receive by. */
  readonly receive: Uint8Array
  /** Opens the next attempt without the code's words. */
  readonly resume: Uint8Array
  readonly sender: string
  /** Top-level items that are not wanted. */
  readonly unwanted: readonly string[]
  readonly bytes: number
  readonly totalBytes: number
  /** The chosen folder, if any. */
  readonly folder: FileSystemDirectoryHandle | null
  /** The time of the last change, ms. */
  readonly atMs: number
}

/** Parts of files that arrived together, each as five numbers, and the Blob that holds them, if any. */
export type KeptRecord = {
  /** Keys of files, which `numbers` refer to. */
  readonly keys: readonly string[]
  /** Five numbers for each part: the key's index, offset, length, position or -1 for zeros, and 1 if it was lost again. */
  readonly numbers: Float64Array
  readonly blob: Blob | null
  readonly validators: readonly { readonly key: string; readonly validator: Uint8Array }[]
  /** Files that have their name in the folder. */
  readonly saved: readonly string[]
}

const receives = 'receives'
const records = 'records'
/** The id of no receive. */
const probe = ''

/** A receive is deleted if it was not resumed for this time. */
const keptMs = 7 * 24 * 3600 * 1000
/** Receives that are kept; the oldest are deleted. */
const maxReceives = 5

const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no reason'))
  })

const completed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('no reason'))
  })

const ofReceive = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []])

/** The database of this origin. */
export class Records {
  readonly #database: IDBDatabase

  private constructor(database: IDBDatabase) {
    this.#database = database
  }

  /** Rejects if the browser has none, for example in a private window. */
  static async open(): Promise<Records> {
    const request = indexedDB.open('thruflux', 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(receives, { keyPath: 'id' })
      request.result.createObjectStore(records)
    }
    return new Records(await done(request))
  }

  /** False if the database takes no Blobs, as in a private window of WebKit. */
  async holdsBlobs(): Promise<boolean> {
    const transaction = this.#database.transaction(records, 'readwrite')
    const store = transaction.objectStore(records)
    store.put(new Blob([' ']), [probe, 0])
    store.delete([probe, 0])
    return completed(transaction).then(
      () => true,
      // A full disk is another matter.
      (reason: unknown) => reason instanceof DOMException && reason.name === 'QuotaExceededError',
    )
  }

  /** All receives, the latest first. */
  async list(): Promise<SavedReceive[]> {
    const all = (await done(
      this.#database.transaction(receives).objectStore(receives).getAll(),
    )) as SavedReceive[]
    return all.sort((one, other) => other.atMs - one.atMs)
  }

  /** Deletes receives that are too old or too many; returns their ids. */
  async expire(nowMs = Date.now()): Promise<string[]> {
    const all = await this.list()
    const over = all.filter(({ atMs }, index) => index >= maxReceives || atMs < nowMs - keptMs)
    for (const { id } of over) await this.delete(id)
    return over.map(({ id }) => id)
  }

  async saveReceive(receive: SavedReceive): Promise<void> {
    const transaction = this.#database.transaction(receives, 'readwrite')
    transaction.objectStore(receives).put(receive)
    await completed(transaction)
  }

  async add(id: string, number: number, record: KeptRecord): Promise<void> {
    const transaction = this.#database.transaction(records, 'readwrite')
    transaction.objectStore(records).put(record, [id, number])
    await completed(transaction)
  }

  /** All records of a receive in order, with their numbers. */
  async of(id: string): Promise<{ readonly number: number; readonly record: KeptRecord }[]> {
    const store = this.#database.transaction(records).objectStore(records)
    const [keys, values] = await Promise.all([
      done(store.getAllKeys(ofReceive(id))),
      done(store.getAll(ofReceive(id)) as IDBRequest<KeptRecord[]>),
    ])
    return values.map((record, at) => ({
      number: (keys[at] as [string, number])[1],
      record,
    }))
  }

  /** The receive is complete: it is listed no longer, but its records stay. */
  async complete(id: string): Promise<void> {
    const transaction = this.#database.transaction(receives, 'readwrite')
    transaction.objectStore(receives).delete(id)
    await completed(transaction)
  }

  /** The ids of all receives that have records. */
  async ids(): Promise<string[]> {
    const store = this.#database.transaction(records).objectStore(records)
    const ids: string[] = []
    for (;;) {
      const after = ids.at(-1)
      const range = after === undefined ? null : IDBKeyRange.lowerBound([after, []])
      const cursor = await done(store.openKeyCursor(range))
      if (cursor === null) return ids
      const [id] = cursor.key as [string, number]
      ids.push(id)
    }
  }

  async delete(id: string): Promise<void> {
    const transaction = this.#database.transaction([receives, records], 'readwrite')
    transaction.objectStore(receives).delete(id)
    transaction.objectStore(records).delete(ofReceive(id))
    await completed(transaction)
  }
}
