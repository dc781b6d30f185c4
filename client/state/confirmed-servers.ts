/**
 * Signaling servers of links that a person agreed to use, in the file `servers.json`: nobody is asked
 * about them again.
 */
import * as z from 'zod'
import { decodeList, StateFile, type StateFormat } from '#client/state/state-file'
import { limits } from '#shared/limits'
import { parseServerUrl } from '#shared/signaling/server-url'
import type { StorageTrouble } from '#shared/state/app-state'

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
  /** A full list of the longest addresses. */
  maxBytes: 1024 * 1024,
  empty: [],
  decode: ({ confirmed }) => decodeList(confirmed, limits.serversConfirmed, urlSchema),
  encode: (confirmed) => ({ confirmed }),
}

/** The list, which every program of this account shares. */
export class ConfirmedServers {
  readonly #file: StateFile<readonly string[]>
  /** Also what could not be written down. */
  readonly #confirmed = new Set<string>()

  /** `directory` is absolute. */
  constructor(directory: string, onTrouble: (trouble: StorageTrouble) => void) {
    this.#file = new StateFile({ directory, format, onTrouble })
  }

  /** True for an address, as `parseServerUrl` writes it, that a person agreed to. */
  has(url: string): boolean {
    return this.#confirmed.has(url) || this.#file.read().includes(url)
  }

  /** A person agreed to use this server, now and later; the oldest of a full list leaves. */
  add(url: string): void {
    if (this.#confirmed.size < limits.serversConfirmed) this.#confirmed.add(url)
    void this.#file.change((list) =>
      [url, ...list.filter((one) => one !== url)].slice(0, limits.serversConfirmed),
    )
  }

  /** Resolves when everything is on the disk, or could not be written. */
  flushed(): Promise<void> {
    return this.#file.flushed()
  }
}
