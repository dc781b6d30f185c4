/** Questions about the state. */
import { type AppState, isMoving, type Receiver, type Share } from '#shared/state/app-state'

/** True while any transfer moves bytes. */
export const movesBytes = ({ shares, receives }: AppState): boolean =>
  receives.some(isMoving) || shares.some(({ receivers }) => receivers.some(isMoving))

/** A receiver's IP address; `null` behind a relay, and before it is connected. */
export const directAddress = ({ route }: Pick<Receiver, 'route'>): string | null =>
  route === null || route.kind === 'relay' ? null : route.remote.replace(/:\d+$/, '')

/** True for a share that has ended. */
export const hasStopped = ({ phase }: Share): boolean => phase === 'stopped' || phase === 'failed'
