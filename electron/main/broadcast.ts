/** Sends events to every window: most of them immediately, but of figures only the latest, after a delay. */
import type { AppEvent } from '#shared/events'
import type { NumberedEvent } from '#shared/ipc'

/** Figures on the screen change at most four times a second. */
const gatherMs = 250

/** The interval while the window is unseen; graphs treat only a longer silence as a stall. */
const unseenMs = 2000

export type Broadcast = (batch: readonly NumberedEvent[]) => void

/** Calls `send` with events in order. Pending figures are sent before an urgent event. */
export function createBroadcast(send: Broadcast, isSeen: () => boolean = () => true): Broadcast {
  const figures = new Map<string, NumberedEvent>()
  let timer: ReturnType<typeof setTimeout> | null = null
  /** Takes all pending figures, the latest of each kind. */
  const take = (): readonly NumberedEvent[] => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const taken = [...figures.values()]
    figures.clear()
    return taken
  }
  return (batch) => {
    const urgent: NumberedEvent[] = []
    for (const numbered of batch) {
      const figure = figureOf(numbered.event)
      if (figure === null) urgent.push(...take(), numbered)
      else {
        figures.delete(figure)
        figures.set(figure, numbered)
      }
    }
    if (urgent.length > 0) send([...urgent, ...take()])
    if (figures.size > 0) {
      timer ??= setTimeout(() => send(take()), isSeen() ? gatherMs : unseenMs)
    }
  }
}

/** The key of the figure that an event renews; `null` for other events. */
function figureOf(event: AppEvent): string | null {
  switch (event.type) {
    case 'share-counted':
      return `${event.type} ${event.share}`
    case 'receiver-progressed':
    case 'receiver-measured':
      return `${event.type} ${event.share} ${event.peer}`
    case 'receive-counted':
    case 'receive-progressed':
    case 'receive-measured':
      return `${event.type} ${event.receive}`
    case 'receive-names-mapped':
      return event.mappedNames.length === 0 ? `${event.type} ${event.receive}` : null
    case 'resumable-recorded':
      return `${event.type} ${event.entry.transfer}`
    default:
      return null
  }
}
