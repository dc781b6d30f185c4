/** Sends events to every window: what happened at once, mere figures gathered for a moment. */
import type { AppEvent } from '#shared/events'
import type { NumberedEvent } from '#shared/ipc'

/** Figures on the screen change four times a second, so nothing is sent for them more often. */
const gatherMs = 250

export type Broadcast = (batch: readonly NumberedEvent[]) => void

/** Calls `send` with events in order. Those before an urgent one leave with it. */
export function createBroadcast(send: Broadcast): Broadcast {
  let gathered: NumberedEvent[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const batch = gathered
    gathered = []
    send(batch)
  }
  return (batch) => {
    gathered.push(...batch)
    if (batch.some(({ event }) => !isFigure(event))) flush()
    else if (gathered.length > 0) timer ??= setTimeout(flush, gatherMs)
  }
}

const isFigure = (event: AppEvent): boolean => {
  switch (event.type) {
    case 'share-counted':
    case 'receive-counted':
    case 'receiver-progressed':
    case 'receive-progressed':
    case 'unfinished-noted':
      return true
    case 'receive-names-mapped':
      return event.mappedNames.length === 0
    default:
      return false
  }
}
