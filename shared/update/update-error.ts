import type { CodedError } from '#shared/errors'

/** Reasons why an update failed, as plain data. Codes are never reused or renamed. */
export const updateErrorCodes = [
  /** The server didn't answer, or not in time. */
  'E_UPDATE_UNREACHABLE',
  /** The signature is wrong, or the signed text isn't a feed. */
  'E_UPDATE_UNTRUSTED',
  /** The feed has expired, or is not valid yet. */
  'E_UPDATE_EXPIRED',
  /** The feed is older than one seen before. */
  'E_UPDATE_STALE',
  /** The package doesn't match the feed. */
  'E_UPDATE_DAMAGED',
  'E_UPDATE_INTERRUPTED',
  'E_UPDATE_DISK_FULL',
  /** The program's own folder is not writable. */
  'E_UPDATE_NOT_WRITABLE',
  /** The system's installer refused. */
  'E_UPDATE_INSTALL',
] as const

/** One of `updateErrorCodes`. */
export type UpdateErrorCode = (typeof updateErrorCodes)[number]

/** The reason why an update failed. */
export type UpdateError = CodedError<UpdateErrorCode>

/** An error with the text for the Details panel. */
export const updateError = (code: UpdateErrorCode, detail = ''): UpdateError => ({ code, detail })
