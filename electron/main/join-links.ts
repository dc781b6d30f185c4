/**
 * Join links that the system hands over. Anybody can make a person's computer open one, so a link
 * only fills the code field: it joins nothing, its server is used only after a person agreed to it,
 * and whatever else was said with it is not read.
 */
import type { App } from 'electron'
import { isLinkOfOurs, type JoinLink, parseJoinLink } from '#shared/code/join-link'
import { type AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'

/** A page that opens links all the time gets one through in this. */
const quietMs = 1000

/** The one argument of a command line that is looked at. */
export const linkIn = (argv: readonly string[]): string | null => argv.find(isLinkOfOurs) ?? null

/** Keeps the last link until the window takes it. */
export class JoinLinks {
  readonly #arrived: () => void
  readonly #nowMs: () => number
  #waiting: Result<JoinLink, AppError> | null = null
  #quietUntilMs = -Infinity

  /** `arrived` is called when there is something to take; `nowMs` is a clock that never jumps. */
  constructor(arrived: () => void, nowMs: () => number) {
    this.#arrived = arrived
    this.#nowMs = nowMs
  }

  /** Takes a link as it came from outside, unless one came a moment ago. */
  offer(link: string): void {
    const nowMs = this.#nowMs()
    if (nowMs < this.#quietUntilMs) return
    this.#quietUntilMs = nowMs + quietMs
    this.#waiting = parseJoinLink(link)
    this.#arrived()
  }

  /** What the link says or why it was refused, once; `null` when there is nothing. */
  take(): Result<JoinLink | null, AppError> {
    const taken = this.#waiting
    this.#waiting = null
    return taken ?? ok(null)
  }
}

/**
 * Makes this process the only one of its profile, and brings links to `links`: from its own command
 * line, from later starts, and from macOS. False when there is one already: it has been told of
 * this start, shows its window with `raise`, and nothing is left to do here.
 */
export function ownLinks(
  app: App,
  argv: readonly string[],
  links: Pick<JoinLinks, 'offer'>,
  raise: () => void,
): boolean {
  if (!app.requestSingleInstanceLock()) return false
  const offer = (link: string | null): void => {
    if (link !== null) links.offer(link)
  }
  offer(linkIn(argv))
  app.on('second-instance', (_event, otherArgv) => {
    offer(linkIn(otherArgv))
    raise()
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    offer(url)
    raise()
  })
  // Who starts it again while it ends gets a new one.
  app.once('before-quit', () => {
    app.releaseSingleInstanceLock()
  })
  return true
}
