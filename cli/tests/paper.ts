/** A terminal that records its lines, escaped like those of a real one, and the events of one share and one receive. */
import type { AppEvent } from '#shared/events'
import { visibleText } from '#shared/format/visible-text'
import {
  emptyState,
  type PeerId,
  type ReceiveId,
  type ShareId,
  type TransferId,
} from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'
import { allFetched, allNew } from '#shared/testing/figures'
import { JsonReporter } from '../report/json-reporter'
import { PlainReporter } from '../report/plain-reporter'
import type { Reporter } from '../report/reporter'
import type { Terminal } from '../terminal/terminal'

export const share = 's1' as ShareId
export const receive = 'r1' as ReceiveId
export const peer = 'p1' as PeerId
export const transfer = '0123456789abcdef0123456789abcdef' as TransferId
export const code = '4821-apple-river-stone'
export const route = {
  kind: 'direct',
  family: 6,
  transport: 'udp',
  remote: '[2001:db8::7]:5000',
  relay: '',
} as const
export const outcome = {
  ...{ files: 2, bytes: 61_900_000_000, problems: 0, renamed: 0 },
  ...{ transferred: 61_900_000_000, ...allNew, readBack: false },
}

export class Paper implements Terminal {
  readonly canAsk = false
  readonly canDraw = false
  readonly columns = 80
  readonly isAsking = false
  readonly printed: string[] = []
  readonly notes: string[] = []

  out(line: string): void {
    this.printed.push(visibleText(line))
  }

  note(line: string): void {
    this.notes.push(visibleText(line))
  }

  ask(): Promise<boolean> {
    return Promise.resolve(false)
  }

  choose(): Promise<null> {
    return Promise.resolve(null)
  }

  readLine(): Promise<string | null> {
    return Promise.resolve(null)
  }

  readKeys(_onKey?: (key: string) => void): (() => void) | false {
    return false
  }
}

export function report(
  makeReporter: (terminal: Terminal) => Reporter,
  events: readonly AppEvent[],
): Paper {
  const paper = new Paper()
  const reporter = makeReporter(paper)
  let state = emptyState('/downloads')
  for (const event of events) {
    state = reduce(state, event)
    reporter.report(event, state)
  }
  reporter.end()
  return paper
}

export const inWords = (...events: readonly AppEvent[]): Paper =>
  report((terminal) => new PlainReporter(terminal), events)
export const inJson = (...events: readonly AppEvent[]): unknown[] =>
  report((terminal) => new JsonReporter(terminal), events).printed.map((text): unknown =>
    JSON.parse(text),
  )

export const opened: AppEvent = {
  atMs: 0,
  type: 'share-opened',
  share,
  title: 'a',
  maxReceivers: 10,
}
export const coded = { atMs: 1, type: 'share-coded', share, code } as const satisfies AppEvent
export const joined = {
  atMs: 2,
  type: 'receiver-joined',
  safety: '482913',
  share,
  peer,
} as const satisfies AppEvent
export const connected = {
  atMs: 3,
  type: 'receiver-connected',
  share,
  peer,
  name: 'Jonas',
  transfer,
  route,
} as const satisfies AppEvent
export const accepted: AppEvent = { atMs: 1000, type: 'receiver-accepted', share, peer }
export const finished: AppEvent = { atMs: 549_000, type: 'receiver-finished', share, peer, outcome }
export const progressed = (atMs: number, bytes: number): AppEvent => ({
  atMs,
  type: 'receiver-progressed',
  share,
  peer,
  counters: {
    files: 0,
    bytes,
    totalFiles: 2,
    totalBytes: 61_900_000_000,
    transferred: bytes,
    ...allFetched,
  },
})
