/** Changes of a running receive, as commands for the engine. */
import type { EngineCommand } from '#client/engine'
import type { SessionNumber } from '#client/engine-link'
import type { SelectionChange } from '#shared/settings/receive-options'

/** Makes a command for the engine's session with this peer. */
export type Ask = (session: SessionNumber, peer: string) => EngineCommand

export const selectionOf =
  ({ patterns, wanted }: SelectionChange): Ask =>
  (session) => ({ type: 'change-selection', session, patterns, wanted })

export const pauseOf =
  (paused: boolean): Ask =>
  (session, peer) => ({ type: 'set-paused', session, peer, paused })
