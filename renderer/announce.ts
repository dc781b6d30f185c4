/** Sentences for people who can't see the window: what happened, never figures. */
import type { AppEvent } from '#shared/events'
import type { NumberedEvent } from '#shared/ipc'
import { useUiStore } from './store/ui-store'
import { contactsText } from './text/contacts'
import { text } from './text/en'

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

/** Most events are no news to anybody. */
export function sentenceOf(event: AppEvent): string | null {
  switch (event.type) {
    case 'share-coded':
      return text.said.codeReady(event.code)
    case 'receiver-joined':
      return text.said.joined
    case 'receiver-connected':
      return text.said.connected(event.name)
    case 'receiver-finished':
      return text.said.receiverFinished
    case 'invitation-arrived':
      return contactsText.said.invited
    case 'receive-keeping-changed':
    case 'receiver-keeping-changed':
      return event.keeping === 'wanted' ? contactsText.said.wanted : null
    case 'receive-offered':
      return text.said.offered
    case 'receive-finished':
      return text.said.finished
    default:
      return null
  }
}
