/** Shows notices through the system: few of them, and none to a person who is looking. */
import { Notification } from 'electron'
import type { NumberedEvent } from '#shared/ipc'
import type { AppState } from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'
import { type Notice, type NoticeKind, noticeOf } from './notices'

/** What happens together is said together: ten receivers who finish ring once. */
const gatherMs = 1500

/** Later ones about the same take the place of those that are shown, without a sound for so long. */
const quietMs = 10_000

/** Notices that are counted before they are shown. */
const maxWaiting = 1000

/** Notices that can be shown at the same time; more are nobody's news any more. */
const maxShown = 20

export type NotifierParts = {
  readonly state: AppState
  /** True for a kind that the person wants to hear of. */
  readonly isWanted: (kind: NoticeKind) => boolean
  readonly isLooking: () => boolean
  readonly open: (about: Notice['about']) => void
  readonly nowMs: () => number
  /** Tests say which. */
  readonly platform?: NodeJS.Platform
}

/** On Linux a body is markup, with links and images; names of files and people come from others. */
const withoutMarkup = (body: string): string =>
  body.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

type Shown = { readonly notification: Notification; readonly atMs: number }

/** One for each process. */
export class Notifier {
  readonly #parts: NotifierParts
  #state: AppState
  #waiting: Notice[] = []
  #isGathering = false
  readonly #shown = new Map<string, Shown>()

  constructor(parts: NotifierParts) {
    this.#parts = parts
    this.#state = parts.state
  }

  /** Takes every event once, in order. */
  readonly onEvents = (batch: readonly NumberedEvent[]): void => {
    for (const { event } of batch) {
      const before = this.#state
      this.#state = reduce(before, event)
      const notice = noticeOf(event, before, this.#state)
      if (notice !== null && this.#waiting.length < maxWaiting) this.#waiting.push(notice)
    }
    if (this.#waiting.length === 0 || this.#isGathering) return
    this.#isGathering = true
    setTimeout(() => {
      this.#isGathering = false
      this.#showAll()
    }, gatherMs)
  }

  #showAll(): void {
    const waiting = this.#waiting
    this.#waiting = []
    if (this.#parts.isLooking()) return
    for (const alike of groups(waiting.filter(({ kind }) => this.#parts.isWanted(kind)))) {
      this.#show(alike)
    }
  }

  #show(alike: readonly [Notice, ...Notice[]]): void {
    const [{ kind, about, title, body, many }] = alike
    const key = keyOf(alike[0])
    const nowMs = this.#parts.nowMs()
    const before = this.#shown.get(key)
    before?.notification.close()
    const notification = new Notification({
      title: alike.length === 1 ? title : many(alike.length),
      body: (this.#parts.platform ?? process.platform) === 'linux' ? withoutMarkup(body) : body,
      silent: before !== undefined && nowMs - before.atMs < quietMs,
      urgency: kind === 'offers' || kind === 'asks' ? 'normal' : 'low',
    })
    notification.on('click', () => {
      this.#shown.delete(key)
      this.#parts.open(about)
    })
    // A notification that nothing refers to is collected, and its click with it.
    this.#shown.delete(key)
    this.#shown.set(key, { notification, atMs: nowMs })
    const [oldest] = this.#shown.keys()
    if (this.#shown.size > maxShown && oldest !== undefined) this.#shown.delete(oldest)
    notification.show()
  }
}

const keyOf = ({ kind, about }: Notice): string => `${kind} ${about ?? ''}`

/** Notices of one kind about one card, in the order of their first. */
function groups(notices: readonly Notice[]): readonly (readonly [Notice, ...Notice[]])[] {
  const found = new Map<string, [Notice, ...Notice[]]>()
  for (const notice of notices) {
    const alike = found.get(keyOf(notice))
    if (alike === undefined) found.set(keyOf(notice), [notice])
    else alike.push(notice)
  }
  return [...found.values()]
}
