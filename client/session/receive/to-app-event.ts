/** Converts engine events that a receive only reports. */
import type { EngineEvent } from '#client/engine'
import { fromEngine } from '#client/engine-link'
import { fileChangesOf } from '#client/from-engine'
import type { NewReceiveEvent } from '#client/session/session-context'

/** The event for the state; `null` for other events. `isLooking`: the receive searches for the sender by other routes. */
export function toAppEvent(event: EngineEvent, isLooking: boolean): NewReceiveEvent | null {
  switch (event.type) {
    case 'scan': {
      const { files, folders, bytes, complete } = event
      return { type: 'receive-counted', totals: { files, folders, bytes, complete } }
    }
    case 'names-mapped': {
      const { mappedCount, mappedNames } = event
      return { type: 'receive-names-mapped', mappedCount, mappedNames }
    }
    case 'deletions': {
      const { moved, folder, keptCount, kept } = event
      return { type: 'receive-deletions', moved, folder, keptCount, kept }
    }
    case 'route-changed':
      return { type: 'receive-route-changed', route: event.route }
    case 'files-changed':
      return { type: 'receive-files-changed', ...fileChangesOf(event) }
    case 'statistics':
      return { type: 'receive-measured', statistics: event.statistics }
    case 'stalled': {
      const isIdle = event.reason === 'relay' && !isLooking
      return { type: 'receive-stalled', reason: isIdle ? 'network' : event.reason }
    }
    case 'text':
      return { type: 'receive-text-arrived', name: event.name, text: event.text }
    case 'item-problem': {
      const error = fromEngine(event.error, event.path)
      return { type: 'receive-problem', path: event.path, error }
    }
    default:
      return null
  }
}
