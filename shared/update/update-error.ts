import type { CodedError } from '#shared/errors'

/** Why there is no update, as plain data. Codes are never reused or renamed. */
export const updateErrorCodes = [
  /** No answer, or none in time. */
  'E_UPDATE_UNREACHABLE',
  /** The signature is wrong, or what is signed makes no sense. */
  'E_UPDATE_UNTRUSTED',
  /** The feed's time is over. */
  'E_UPDATE_EXPIRED',
  /** The feed says less than it said before. */
  'E_UPDATE_STALE',
  /** The package is not the one that the feed is about. */
  'E_UPDATE_DAMAGED',
  'E_UPDATE_INTERRUPTED',
  'E_UPDATE_DISK_FULL',
  /** The program's own place can't be written to. */
  'E_UPDATE_NOT_WRITABLE',
  /** The system's installer refused. */
  'E_UPDATE_INSTALL',
] as const

/** See `updateErrorCodes`. */
export type UpdateErrorCode = (typeof updateErrorCodes)[number]

/** Why an update did not come, or was not installed. */
export type UpdateError = CodedError<UpdateErrorCode>

/** An error with what the Details panel says of it. */
export const updateError = (code: UpdateErrorCode, detail = ''): UpdateError => ({ code, detail })
