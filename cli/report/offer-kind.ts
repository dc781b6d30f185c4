/** The kind of a receive's offer. */
import type { FlowState, Receive } from '#shared/state/app-state'
import type { Course } from './progress-display'

/** True for a stream, whose size is unknown before its end. */
export const hasStream = ({ items }: Pick<Receive, 'items'>): boolean =>
  items.some(({ kind }) => kind === 'stream')

/** The course of a transfer of `offer` in this state. */
export function courseOf(flow: FlowState, offer: Pick<Receive, 'items'> | undefined): Course {
  if (offer !== undefined && hasStream(offer)) return 'stream'
  return flow.kind === 'flowing' || flow.kind === 'finishing' ? 'flowing' : 'held'
}
