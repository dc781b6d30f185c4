/** Shows notices through the system: only a few, and none while the person is looking. */
import { Notification } from 'electron'
import type { NumberedEvent } from '#shared/ipc'
import type { AppState } from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'
import { type Notice, type NoticeKind, noticeOf } from './notices'

/** Notices within this time are combined: ten receivers that finish make one sound. */
const gatherMs = 1500

/** A notice that replaces one about the same card within this time is silent. */
const quietMs = 10_000

/** Limits the notices that may wait to be combined. */
const maxWaiting = 1000

/** Limits the notifications kept; older ones are discarded. */
const maxShown = 20

export type NotifierParts = {
  readonly state: AppState
  /** True for a kind that is turned on in the settings. */
  readonly isWanted: (kind: NoticeKind) => boolean
  readonly isLooking: () => boolean
  readonly open: (about: Notice['about']) => void
  readonly nowMs: () => number
  /** Set by tests. */
  readonly platform?: NodeJS.Platform
}

/** Escapes a body, which Linux renders as markup: names of files and people are untrusted. */
const withoutMarkup = (body: string): string =>
  body.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

type Shown = { readonly notification: Notification; readonly atMs: number }

/** Each process has one. */
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

  /** Handles every event once, in order. */
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
    // Keeps a reference, because an unreferenced notification and its click handler are garbage-collected.
    this.#shown.delete(key)
    this.#shown.set(key, { notification, atMs: nowMs })
    const [oldest] = this.#shown.keys()
    if (this.#shown.size > maxShown && oldest !== undefined) this.#shown.delete(oldest)
    notification.show()
  }
}

const keyOf = ({ kind, about }: Notice): string => `${kind} ${about ?? ''}`

/** Groups notices by kind and card, ordered by the first of each. */
function groups(notices: readonly Notice[]): readonly (readonly [Notice, ...Notice[]])[] {
  const found = new Map<string, [Notice, ...Notice[]]>()
  for (const notice of notices) {
    const alike = found.get(keyOf(notice))
    if (alike === undefined) found.set(keyOf(notice), [notice])
    else alike.push(notice)
  }
  return [...found.values()]
}
