/** The appearance of a transfer's graph in its state. */
import type { FlowState, RateSample, Route } from '#shared/state/app-state'

/** The end of its time axis, which stops while data isn't expected to move and keeps the last minute. */
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
