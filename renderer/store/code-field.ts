/** Receives that are shown at the code field, instead of in a row or a card. */
import type { ErrorCode } from '#shared/errors'
import type { AppState, Receive } from '#shared/state/app-state'

/** Failures of a typed code, which its field shows instead of a card. */
const fieldErrors: ReadonlySet<ErrorCode> = new Set([
  'E_BAD_CODE',
  'E_NO_SUCH_CODE',
  'E_CODE_MISMATCH',
  'E_CODE_LOCKED',
  'E_RATE_LIMITED',
  'E_SERVER_UNREACHABLE',
  'E_SERVER_IDENTITY',
  'E_SERVER_BUSY',
  'E_SERVER_PROTOCOL',
  'E_SERVER_PASSWORD',
  'E_PROXY_UNREACHABLE',
  'E_PROXY_AUTH',
  'E_PROXY_REFUSED',
])

/** True until the share behind the code is found, and permanently if it isn't. */
export const belongsToField = ({ phase, from, error, contact, nearby }: Receive): boolean =>
  contact === undefined &&
  nearby === undefined &&
  (phase === 'looking-up' ||
    (phase === 'failed' && from === '' && error !== null && fieldErrors.has(error.code)))

/** The receive whose code was refused; the field shows the reason until the next code. */
export const refusedReceive = ({ receives }: Pick<AppState, 'receives'>): Receive | null =>
  receives.find((receive) => receive.phase === 'failed' && belongsToField(receive)) ?? null
