/**
 * Keeps received bytes as Blobs in IndexedDB, which browsers write to their disk. Unlike other kinds of storage it also
 * works in a page without TLS.
 */
import { joined, type Part, partsOf, type Run, type Store } from './store'

const parts = 'parts'
/** The name of each page's database is a random number after it. */
const prefix = 'thruflux-'

/** A stored part: its key is `[index, offset]`. */
type Kept = { readonly blob: Blob }

const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no reason'))
  })

/** The store of one receive. */
export class IndexedStore implements Store {
  readonly #name: string
  readonly #database: IDBDatabase

  private constructor(name: string, database: IDBDatabase) {
    this.#name = name
    this.#database = database
  }

  /**
   * Opens an empty store, and deletes those of pages that were closed; one of another open page is deleted with that page.
   * Rejects if the browser has none, for example in a private window.
   */
  static async open(): Promise<IndexedStore> {
    for (const { name } of await indexedDB.databases())
      if (name?.startsWith(prefix)) indexedDB.deleteDatabase(name)
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
    const name = `${prefix}${number}`
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(parts)
    return new IndexedStore(name, await done(request))
  }

  keep(runs: readonly Run[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(parts, 'readwrite')
      const store = transaction.objectStore(parts)
      for (const { index, offset, blob } of partsOf(runs)) store.put({ blob }, [index, offset])
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('no reason'))
    })
  }

  async file(index: number, bytes: number): Promise<Blob> {
    const store = this.#database.transaction(parts).objectStore(parts)
    const ofFile = IDBKeyRange.bound([index], [index + 1], false, true)
    const [keys, values] = await Promise.all([
      done(store.getAllKeys(ofFile)),
      done(store.getAll(ofFile) as IDBRequest<Kept[]>),
    ])
    const found: Part[] = values.map(({ blob }, at) => ({
      offset: Number((keys[at] as readonly IDBValidKey[])[1]),
      blob,
    }))
    return joined(found, bytes)
  }

  async clear(): Promise<void> {
    this.#database.close()
    await done(indexedDB.deleteDatabase(this.#name))
  }
}
