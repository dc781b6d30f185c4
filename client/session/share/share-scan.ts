/** The engine's scan of a share: its title and totals, and disks that don't respond meanwhile. */
import type { Clock } from '#client/clock'
import type { EngineEvent } from '#client/engine'
import type { NewShareEvent } from '#client/session/session-context'
import type { ShareProblems } from '#client/session/share/share-problems'
import type { ShareRecorder } from '#client/session/share/share-recorder'
import { titleOf } from '#client/session/share/source-paths'
import { appError } from '#shared/errors'
import { formatBytes } from '#shared/format/format'
import { contentLabel } from '#shared/labels'
import { hasOnlyTexts, type Item, textsIn, type Totals } from '#shared/state/app-state'

/** A scan reports several times a second, and a sleeping disk is awake by then. */
const silenceMs = 60_000

/** Dependencies of `ShareScan`. */
export type ShareScanOptions = {
  readonly clock: Clock
  readonly problems: Pick<ShareProblems, 'report' | 'itemsLeftOut'>
  readonly recorder: Pick<ShareRecorder, 'found'>
  readonly record: (event: NewShareEvent) => void
  /** Called when the first scan has ended. */
  readonly onListed: () => void
  /** Receives a short summary of the share for invited contacts. */
  readonly describe: (summary: string) => void
}

/** The engine's events about a scan. */
export type EngineScanEvent = Extract<EngineEvent, { readonly type: 'scan' | 'scan-items' }>

/** Each share has one; it is idle before `start` and after `end`. */
export class ShareScan {
  readonly #options: ShareScanOptions
  #title = ''
  #items: readonly Item[] = []
  #isListed = false
  #cancelWatch: () => void = () => undefined

  constructor(options: ShareScanOptions) {
    this.#options = options
  }

  /** Sets the title until the scan reports a better one. */
  name(title: string): void {
    this.#title = title
    this.#options.describe(title)
  }

  /** Call it when the engine begins to scan. */
  start(): void {
    this.#watch()
  }

  onEvent(event: EngineScanEvent): void {
    const { problems, record, recorder } = this.#options
    if (event.type === 'scan-items') {
      const { items } = event
      recorder.found(items, event.resolved)
      this.#title = titleOf(items)
      this.#items = items
      const followed = { count: event.followed, links: event.followedLinks }
      record({
        type: 'share-listed',
        title: this.#title,
        items,
        ...(followed.count > 0 && { followed }),
      })
      if (!this.#isListed) this.#options.onListed()
      this.#isListed = true
      return
    }
    const { type: _type, session: _session, ...counted } = event
    const totals = { ...counted, leftOut: counted.leftOut + problems.itemsLeftOut }
    record({ type: 'share-counted', totals })
    if (totals.complete) {
      this.#describe(totals)
      this.end()
    } else this.#watch()
  }

  /** Stops watching. */
  end(): void {
    this.#cancelWatch()
  }

  /** Reports a disk that does not respond; the scan continues when it does. */
  #watch(): void {
    const { clock, problems } = this.#options
    this.#cancelWatch()
    this.#cancelWatch = clock.after(silenceMs, () =>
      problems.report(this.#title, appError('E_DISK_IO', 'no answer in time', this.#title)),
    )
  }

  #describe({ files, bytes }: Pick<Totals, 'files' | 'bytes'>): void {
    const counted = hasOnlyTexts(this.#items) ? [] : [contentLabel(files, textsIn(this.#items))]
    this.#options.describe([this.#title, ...counted, formatBytes(bytes)].join(' · '))
  }
}
