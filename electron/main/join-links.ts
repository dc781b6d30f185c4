/**
 * Join links from the system. Anyone can make a person's computer open one, so a link only fills the code field. It
 * joins nothing, its server is used only after a person has confirmed it, and accompanying arguments are ignored.
 */
import type { App } from 'electron'
import { isLinkOfOurs, type JoinLink, parseJoinLink } from '#shared/code/join-link'
import { type AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'

/** A page that opens links repeatedly gets one of them through in this time. */
const quietMs = 1000

/** The join link in a command line, or `null`; other arguments are ignored. */
export const linkIn = (argv: readonly string[]): string | null => argv.find(isLinkOfOurs) ?? null

/** Keeps the last link until the window takes it. */
export class JoinLinks {
  readonly #arrived: () => void
  readonly #nowMs: () => number
  #waiting: Result<JoinLink, AppError> | null = null
  #quietUntilMs = -Infinity

  /** `arrived` is called when a link can be taken; `nowMs` is a monotonic clock. */
  constructor(arrived: () => void, nowMs: () => number) {
    this.#arrived = arrived
    this.#nowMs = nowMs
  }

  /** Accepts an untrusted link, unless one arrived a moment ago. */
  offer(link: string): void {
    const nowMs = this.#nowMs()
    if (nowMs < this.#quietUntilMs) return
    this.#quietUntilMs = nowMs + quietMs
    this.#waiting = parseJoinLink(link)
    this.#arrived()
  }

  /** Takes the link or the reason for its refusal, once; `null` if there is none. */
  take(): Result<JoinLink | null, AppError> {
    const taken = this.#waiting
    this.#waiting = null
    return taken ?? ok(null)
  }
}

/**
 * Makes this process the only one of its profile, and delivers links to `links`: from its own command line, from later
 * starts, and from macOS. Returns false if another process exists, which then shows its window with `raise`; this one
 * must end.
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
  // A start during shutdown makes a new process.
  app.once('before-quit', () => app.releaseSingleInstanceLock())
  return true
}
