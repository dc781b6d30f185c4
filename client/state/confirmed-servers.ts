/**
 * Signaling servers of links that a person confirmed, in the file `servers.json`, so that they need no further
 * confirmation.
 */
import * as z from 'zod'
import { decodeList, StateFile, type StateFormat } from '#client/state/state-file'
import { limits } from '#shared/limits'
import { parseServerUrl } from '#shared/signaling/server-url'
import type { StorageError } from '#shared/state/storage-error'

const urlSchema = z
  .string()
  .max(limits.pathBytes)
  .refine((text) => {
    const url = parseServerUrl(text)
    return url.ok && url.value === text
  })

const format: StateFormat<readonly string[]> = {
  name: 'servers.json',
  version: 1,
  /** Room for a full list of the longest addresses. */
  maxBytes: 1024 * 1024,
  empty: [],
  decode: ({ confirmed }) => decodeList(confirmed, limits.serversConfirmed, urlSchema),
  encode: (confirmed) => ({ confirmed }),
}

/** The list, which all programs of this account share. */
export class ConfirmedServers {
  readonly #file: StateFile<readonly string[]>
  /** The servers confirmed in this program, even if they could not be written. */
  readonly #confirmed = new Set<string>()

  /** `directory` is absolute. */
  constructor(directory: string, onError: (error: StorageError) => void) {
    this.#file = new StateFile({ directory, format, onError })
  }

  /** True for a confirmed address in the form of `parseServerUrl`. */
  has(url: string): boolean {
    return this.#confirmed.has(url) || this.#file.read().includes(url)
  }

  /** Confirms a server permanently; a full list drops its oldest entry. */
  add(url: string): void {
    if (this.#confirmed.size < limits.serversConfirmed) this.#confirmed.add(url)
    void this.#file.change((list) =>
      [url, ...list.filter((one) => one !== url)].slice(0, limits.serversConfirmed),
    )
  }

  /** Resolves when everything is on disk, or could not be written. */
  flushed(): Promise<void> {
    return this.#file.flushed()
  }
}
