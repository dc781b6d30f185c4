/**
 * Shares that run, in the file `shares.json`: what it takes to open them again after a restart. It
 * holds the words of their codes and the keys of their receivers, as long as the code is good.
 */
import { hostname } from 'node:os'
import type { Clock } from '#client/clock'
import { mayRun, ownMark } from '#client/state/process-mark'
import { isWorn, type RememberedShare, rememberedShareSchema } from '#client/state/remembered-share'
import { decodeList, StateFile, type StateFormat } from '#client/state/state-file'
import { limits } from '#shared/limits'
import type { StorageTrouble } from '#shared/state/app-state'

const format: StateFormat<readonly RememberedShare[]> = {
  name: 'shares.json',
  version: 1,
  /** Above the most shares with the most of everything. */
  maxBytes: 128 * 1024 * 1024,
  empty: [],
  decode: ({ shares }) => {
    const { value, isComplete } = decodeList(shares, limits.transfersRunning, rememberedShareSchema)
    return { value: value.filter(({ items }) => items.length > 0), isComplete }
  },
  encode: (shares) => ({ shares }),
}

/** What the file needs of its client. */
export type ShareFileOptions = {
  /** Absolute; made when there is something to remember. */
  readonly directory: string
  readonly clock: Pick<Clock, 'now'>
  readonly onTrouble?: ((trouble: StorageTrouble) => void) | undefined
}

/** One for a client. Several programs may have one for the same file: each keeps its own shares. */
export class ShareFile {
  readonly #options: ShareFileOptions
  readonly #file: StateFile<readonly RememberedShare[]>
  /** What is not on the disk yet, by share; `null`: remembered no more. */
  readonly #changes = new Map<string, RememberedShare | null>()
  /** A write that will take all of them waits for its turn. */
  #isQueued = false

  constructor(options: ShareFileOptions) {
    this.#options = options
    const { directory, onTrouble } = options
    this.#file = new StateFile({
      directory,
      format,
      onTrouble,
    })
  }

  /** Shares that were interrupted, newest first: no program has them open. */
  interrupted(): readonly RememberedShare[] {
    return this.#file.read().filter((share) => this.#isFree(share))
  }

  /**
   * Takes at most so many of the interrupted shares, those that are `wanted`, for this program:
   * another one that asks at the same moment gets none of them.
   */
  async claim(
    most: number,
    wanted: (share: RememberedShare) => boolean = () => true,
  ): Promise<readonly RememberedShare[]> {
    // Nothing is written where there is nothing.
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

  /** Remembers this one as it is now, as open in this program. */
  note(share: Omit<RememberedShare, 'keeper' | 'host'>): void {
    this.#change(share.id, { ...share, keeper: ownMark(), host: hostname() })
  }

  /** This program closes it, and any may open it again. */
  release(share: Omit<RememberedShare, 'keeper' | 'host'>): void {
    this.#change(share.id, { ...share, keeper: null, host: hostname() })
  }

  /** Remembers it no more. */
  remove(id: string): void {
    this.#change(id, null)
  }

  /** Resolves when everything asked for so far is on the disk, or could not be written. */
  async flushed(): Promise<void> {
    await this.#file.flushed()
    if (this.#changes.size > 0) await this.#write()
  }

  #isFree(share: RememberedShare): boolean {
    const { keeper, host } = share
    if (host !== hostname() || isWorn(share, this.#options.clock.now())) return false
    return keeper === null || !mayRun(keeper)
  }

  #change(id: string, share: RememberedShare | null): void {
    this.#changes.set(id, share)
    if (this.#isQueued) return
    this.#isQueued = true
    void this.#write()
  }

  /**
   * While the disk is busy with one change, those that follow become one. What could not be written is
   * written with the next: otherwise a share that was stopped on a full disk would come back.
   */
  async #write(): Promise<void> {
    const changes = new Map<string, RememberedShare | null>()
    const isWritten = await this.#file.change((before) => {
      this.#isQueued = false
      for (const [id, share] of this.#changes) changes.set(id, share)
      const kept = before.filter((one) => !changes.has(one.id))
      const changed = [...changes.values()].flatMap((one) => (one === null ? [] : [one]))
      return [...changed, ...kept].slice(0, limits.transfersRunning)
    })
    if (changes.size === 0) this.#isQueued = false
    if (!isWritten) return
    for (const [id, share] of changes) {
      if (this.#changes.get(id) === share) this.#changes.delete(id)
    }
  }
}
