/** Prints a share's code, how far it reaches, and the state of the signaling server. */
import { makePageLink, webPageOf } from '#shared/code/join-link'
import { type AppError, type ErrorCode, isPassing } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { FollowedLinks } from '#shared/followed-links'
import { guessNote, movedNote } from '#shared/labels'
import { limitOf, reachOfShare } from '#shared/reach'
import type { AppState, Guesses, MeetingState, ServerStatus } from '#shared/state/app-state'
import { text as shared } from '#shared/text/current'
import { text } from '../text'
import { shownServer } from './contact-text'
import { followedLines } from './preflight-text'

type ShareCoded = Extract<AppEvent, { readonly type: 'share-coded' }>

/** Prints results, notes and errors. */
export type Voice = {
  readonly out: (line: string) => void
  readonly note: (line: string) => void
  readonly alert: (line: string) => void
  readonly explain: (error: AppError) => string
  /** The keys of the command are listed, among them one that ends the share. */
  readonly hasKeys: boolean
}

const isAway = (meeting: MeetingState | undefined): boolean =>
  meeting === 'away' || meeting === 'left'

/** Remembers what it has printed, and prints nothing twice. */
export class CodeReporter {
  readonly #voice: Voice
  #code: string | null = null
  /** The server in the printed command. */
  #server: string | null = null
  /** The printed addresses for browsers. */
  readonly #pages = new Set<string>()
  #wasAway = false
  #serverError: ErrorCode | null = null
  #told: ErrorCode | null = null
  #hasReportedInsecure = false
  /** Number of reported links. */
  #followed = 0
  #guesses: Guesses = { wrong: 0, locked: false, spent: false }

  constructor(voice: Voice) {
    this.#voice = voice
  }

  reportCode(event: ShareCoded, state: AppState): void {
    const { code, server = null, serverAway, meeting } = event
    const { out, note } = this.#voice
    const isFirst = this.#code === null
    const share = state.shares.find(({ id }) => id === event.share)
    const isRequest = share?.requests === true
    if (code === this.#code) {
      if (this.#wasAway && serverAway !== true && !isAway(meeting)) note(text.share.fartherNow)
      else if (serverAway !== true && meeting === undefined) note(text.share.sameCode)
      // A fallback server may have the share now, and receivers need its address.
      if (server !== null && serverAway !== true && server !== this.#server)
        this.#showHow(code, server, isRequest)
    } else {
      if (!isFirst) note(movedNote())
      out(text.share.code(code))
      this.#showHow(code, server, isRequest, meeting)
    }
    const reach = reachOfShare({ server, serverAway, meeting }, state)
    if (meeting === 'there') note(text.share.met)
    if (reach.scope !== 'anywhere') {
      note({ ...shared.reach, noServer: text.share.noServer }[limitOf(reach)][reach.scope])
    }
    if (isFirst && !this.#voice.hasKeys)
      note(isRequest ? text.share.requestEnds : text.share.howToEnd)
    const { items = [] } = share ?? {}
    if (isFirst && items.some(({ kind }) => kind === 'folder')) note(text.share.laterFiles)
    this.#code = code
    this.#wasAway = serverAway === true || isAway(meeting)
  }

  #showHow(code: string, server: string | null, isRequest: boolean, meeting?: MeetingState): void {
    const { howToMeet, howToReceive, howToReceiveAt, howToSend, howToSendAt } = text.share
    const [near, at] = isRequest ? [howToSend, howToSendAt] : [howToReceive, howToReceiveAt]
    const how = server === null ? near(code) : at(code, shownServer(server))
    this.#voice.note(meeting === undefined ? how : howToMeet(how))
    this.#server = server
  }

  /** Prints where browsers receive the share, anywhere and on this network. */
  reportPage({ shares: [share], localNetwork }: AppState): void {
    if (share === undefined) return
    this.#showPage(webPageOf(share), text.share.page)
    this.#showPage(makePageLink(share, localNetwork), text.localNetwork.page)
  }

  #showPage(page: string | null, line: (page: string) => string): void {
    if (page === null || this.#pages.has(page)) return
    this.#pages.add(page)
    this.#voice.note(line(page))
  }

  reportServer(server: ServerStatus, { shares }: AppState): void {
    const { note, alert } = this.#voice
    switch (server.phase) {
      case 'unreachable':
        // A receive that can't start ends with the server's error.
        if (shares.length === 0 && isPassing(server.error)) {
          note(text.server.trying(shownServer(server.url)))
        } else if (server.error.code !== this.#serverError) {
          // A share keeps trying its server, and a receive the local network.
          const line = this.#voice.explain(server.error)
          alert(shares.length === 0 ? text.transfer.failed(line) : line)
          this.#told = server.error.code
        }
        this.#serverError = server.error.code
        break
      case 'connected':
        this.#serverError = null
        this.#told = null
        if (server.insecure) this.reportInsecure()
        break
      case 'idle':
        break
    }
  }

  /** Reports links that lead out of the share, before its code, and again when there are more. */
  reportFollowed(followed: FollowedLinks = { count: 0, links: [] }, all = false): void {
    const { alert } = this.#voice
    if (followed.count > this.#followed)
      for (const line of followedLines(followed, all)) alert(line)
    this.#followed = followed.count
  }

  /** Reports each wrong attempt, and once when they look like guessing or exceed the limit. */
  reportGuesses(guesses: Guesses): void {
    const { note } = this.#voice
    const words = guessNote(guesses)
    const before = this.#guesses
    const isWorse = guesses.locked !== before.locked || guesses.spent !== before.spent
    this.#guesses = guesses
    if (words !== null && (guessNote(before) === null || isWorse)) note(words)
    else if (guesses.wrong > before.wrong) note(text.share.wrongCode)
  }

  /** True if the server still fails with an error already printed. */
  hasTold({ code }: AppError): boolean {
    return code === this.#told
  }

  reportInsecure(): void {
    if (!this.#hasReportedInsecure) this.#voice.note(text.server.insecure)
    this.#hasReportedInsecure = true
  }
}
