/** Announces events to people who can't see the window, through its only live region, a polite one. */
import type { NumberedEvent } from '#shared/ipc'
import { useAppStore } from './store/app-store'
import { useUiStore } from './store/ui-store'
import { Announcements } from './view/announcement'

/** Minimum time between sentences; faster ones would interrupt each other. */
const spacingMs = 5000

/** Older sentences are dropped: the window itself shows those states. */
const maxWaiting = 3

let waiting: readonly string[] = []
let isQuiet = true

const announcements = new Announcements()

/** Announces the notable events of a batch, each once. Events take precedence over progress. */
export function announce(batch: readonly NumberedEvent[]): void {
  const { state } = useAppStore.getState()
  if (state === null) return
  const said = batch.map(({ event }) => announcements.of(event, state))
  const happened = said.flatMap((one) => (one?.kind === 'event' ? [one.words] : []))
  const progress = said.flatMap((one) => (one?.kind === 'progress' ? [one.words] : []))
  if (happened.length > 0) waiting = [...new Set([...waiting, ...happened])].slice(-maxWaiting)
  else if (waiting.length === 0) waiting = progress.slice(-1)
  if (isQuiet) sayNext()
}

/** Announces the response to a person's action immediately. */
export function say(words: string): void {
  useUiStore.setState(({ said }) => ({ said: { words, nth: said.nth + 1 } }))
}

function sayNext(): void {
  const [next, ...rest] = waiting
  waiting = rest
  isQuiet = next === undefined
  if (next === undefined) return
  say(next)
  setTimeout(sayNext, spacingMs)
}
