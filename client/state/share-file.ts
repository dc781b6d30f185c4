/**
 * Running shares in the file `shares.json`, with the data to reopen them after a restart. It contains the words of
 * their codes and the keys of their receivers, while the code is valid.
 */
import { hostname } from 'node:os'
import type { Clock } from '#client/clock'
import { mayRun, ownMark } from '#client/state/process-mark'
import { isWorn, type RememberedShare, rememberedShareSchema } from '#client/state/remembered-share'
import { decodeList, StateFile, type StateFormat } from '#client/state/state-file'
import { limits } from '#shared/limits'
import type { StorageError } from '#shared/state/storage-error'

const format: StateFormat<readonly RememberedShare[]> = {
  name: 'shares.json',
  version: 1,
  /** Room for the most shares with all fields at their limits. */
  maxBytes: 128 * 1024 * 1024,
  empty: [],
  decode: ({ shares }) => {
    const { value, isComplete } = decodeList(shares, limits.transfersRunning, rememberedShareSchema)
    return { value: value.filter(({ items }) => items.length > 0), isComplete }
  },
  encode: (shares) => ({ shares }),
}

/** Dependencies of `ShareFile`. */
export type ShareFileOptions = {
  /** An absolute path; created on the first write. */
  readonly directory: string
  readonly clock: Pick<Clock, 'now'>
  readonly onError?: ((error: StorageError) => void) | undefined
}

/** Each client has one. Several programs may share a file: each manages its own shares. */
export class ShareFile {
  readonly #options: ShareFileOptions
  readonly #file: StateFile<readonly RememberedShare[]>
  /** Unwritten changes by share id; `null` for a removal. */
  readonly #changes = new Map<string, RememberedShare | null>()
  /** A queued write that will include all changes. */
  #queued: Promise<void> | null = null

  constructor(options: ShareFileOptions) {
    this.#options = options
    const { directory, onError } = options
    this.#file = new StateFile({
      directory,
      format,
      onError,
    })
  }

  /** Interrupted shares, newest first: no program has them open. */
  interrupted(): readonly RememberedShare[] {
    return this.#file.read().filter((share) => this.#isFree(share))
  }

  /**
   * Claims at most `most` interrupted shares, if `wanted`, for this program. A program that claims at the same time
   * gets none of these.
   */
  async claim(
    most: number,
    wanted: (share: RememberedShare) => boolean = () => true,
  ): Promise<readonly RememberedShare[]> {
    // Avoids writing without a reason.
    if (this.interrupted().length === 0) return []
    let claimed: readonly RememberedShare[] = []
    const isClaimed = await this.#file.change((shares) => {
      const nowMs = this.#options.clock.now()
      const free = shares.filter((share) => this.#isFree(share) && wanted(share))
      claimed = free.slice(0, most)
      return shares
        .filter((share) => !isWorn(share, nowMs) || (share.keeper !== null && mayRun(share.keeper)))
        .map((share) => (claimed.includes(share) ? { ...share, keeper: ownMark() } : share))
    })
    return isClaimed ? claimed : []
  }

  /** Stores the present data of a share that is open in this program. Resolves once it is durable, or can't be. */
  note(share: Omit<RememberedShare, 'keeper' | 'host'>): Promise<void> {
    return this.#change(share.id, { ...share, keeper: ownMark(), host: hostname() })
  }

  /** Marks a share as closed, so that any program may reopen it. */
  release(share: Omit<RememberedShare, 'keeper' | 'host'>): void {
    void this.#change(share.id, { ...share, keeper: null, host: hostname() })
  }

  /** Removes a share from the file. */
  remove(id: string): void {
    void this.#change(id, null)
  }

  /** Resolves when all changes so far are on disk, or could not be written. */
  async flushed(): Promise<void> {
    await this.#file.flushed()
    if (this.#changes.size > 0) await this.#write()
  }

  #isFree(share: RememberedShare): boolean {
    const { keeper, host } = share
    if (host !== hostname() || isWorn(share, this.#options.clock.now())) return false
    return keeper === null || !mayRun(keeper)
  }

  #change(id: string, share: RememberedShare | null): Promise<void> {
    this.#changes.set(id, share)
    this.#queued ??= this.#write()
    return this.#queued
  }

  /**
   * Combines changes that arrive during a write. Failed changes are written with later ones: otherwise a share that was
   * stopped on a full disk would return.
   */
  async #write(): Promise<void> {
    const changes = new Map<string, RememberedShare | null>()
    const isWritten = await this.#file.change((before) => {
      this.#queued = null
      for (const [id, share] of this.#changes) changes.set(id, share)
      const kept = before.filter((one) => !changes.has(one.id))
      const changed = [...changes.values()].flatMap((one) => (one === null ? [] : [one]))
      return [...changed, ...kept].slice(0, limits.transfersRunning)
    })
    if (changes.size === 0) this.#queued = null
    if (!isWritten) return
    for (const [id, share] of changes) {
      if (this.#changes.get(id) === share) this.#changes.delete(id)
    }
  }
}
