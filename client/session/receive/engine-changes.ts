/** Changes of a running receive, as commands for the engine. */
import type { EngineCommand } from '#client/engine'
import type { SessionNumber } from '#client/engine-link'
import type { ReceivePlan, SelectionChange } from '#shared/settings/receive-options'

/** Makes a command for the engine's session with this peer. */
export type Ask = (session: SessionNumber, peer: string) => EngineCommand

export const selectionOf =
  ({ patterns, wanted }: SelectionChange): Ask =>
  (session) => ({ type: 'change-selection', session, patterns, wanted })

export const priorityOf =
  (patterns: readonly string[]): Ask =>
  (session) => ({ type: 'prioritize', session, patterns })

export const pauseOf =
  (paused: boolean): Ask =>
  (session, peer) => ({ type: 'set-paused', session, peer, paused })

/** Accepts an offer as planned. `again`: the receive was accepted before, so it waits for room on a full disk. */
export const acceptanceOf =
  ({ directory, options, selection, autoAccept, toOutput }: ReceivePlan, again: boolean): Ask =>
  (session) => ({
    type: 'accept',
    ...{ session, directory, options, selection },
    autoAccept: autoAccept ?? null,
    toOutput: toOutput === true,
    ...(again && { waitForRoom: true }),
  })
