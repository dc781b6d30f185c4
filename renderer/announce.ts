/** Sentences for people who can't see the window: what happened, never figures. */
import type { AppEvent } from '#shared/events'
import type { NumberedEvent } from '#shared/ipc'
import { useUiStore } from './store/ui-store'
import { text } from './text'

/** Sentences come no faster than this, else they talk over each other; the newest wins. */
const spacingMs = 5000

let next: string | null = null
let isQuiet = true

/** Says the last of the given events that is worth a sentence. */
export function announce(batch: readonly NumberedEvent[]): void {
  const said = batch.map(({ event }) => sentenceOf(event)).filter((words) => words !== null)
  next = said.at(-1) ?? next
  if (isQuiet) sayNext()
}

function sayNext(): void {
  isQuiet = next === null
  if (next === null) return
  useUiStore.setState({ said: next })
  next = null
  setTimeout(sayNext, spacingMs)
}

/** The sentence that announces an event; `null` for most. */
export function sentenceOf(event: AppEvent): string | null {
  switch (event.type) {
    case 'share-coded':
      return text.announcement.codeReady(event.code)
    case 'receiver-joined':
      return text.announcement.codeEntered
    case 'receiver-connected':
      return text.announcement.connected(event.name)
    case 'receiver-finished':
      return text.announcement.receiverFinished
    case 'invitation-arrived':
      return text.announcement.invited
    case 'receive-contact-request-changed':
    case 'receiver-contact-request-changed':
      return event.contactRequest === 'received' ? text.announcement.contactRequested : null
    case 'receive-offered':
      return text.announcement.offered
    case 'receive-finished':
      return text.announcement.finished
    default:
      return null
  }
}
