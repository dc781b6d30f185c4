/** Says to people who can't see the window what happened, through its one polite live region. */
import type { NumberedEvent } from '#shared/ipc'
import { useAppStore } from './store/app-store'
import { useUiStore } from './store/ui-store'
import { Announcements } from './view/announcement'

/** Sentences come no faster than this, else they talk over each other. */
const spacingMs = 5000

/** More is not waited for: what happened before that is told by the window itself. */
const maxWaiting = 3

let waiting: readonly string[] = []
let isQuiet = true

const announcements = new Announcements()

/** Says what of the given events is worth a sentence, each once. How far transfers are gives way to what happened. */
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

/** Says the answer to what the person just did, at once. */
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
