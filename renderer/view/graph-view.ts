/** How the graph of a transfer looks in its state. */
import type { FlowState, RateSample, Route } from '#shared/state/app-state'

/** Where its time ends: it stands while nothing is meant to move, and keeps the last minute. */
export const graphEnd = (
  history: readonly RateSample[],
  nowMs: number,
  isStill: boolean,
): number => {
  const lastMs = history.at(-1)?.atMs ?? nowMs
  return isStill ? lastMs : Math.max(lastMs, nowMs)
}

type Drawn = { readonly flow: FlowState; readonly route: Route | null }

/** The color of its line. */
export function graphTone({ flow, route }: Drawn): 'accent' | 'relay' | 'still' {
  if (flow.kind === 'paused' || flow.kind === 'paused-by-peer') return 'still'
  return route?.kind === 'relay' ? 'relay' : 'accent'
}
