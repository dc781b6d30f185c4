/** Converts exceptions of the system, the network and electron-updater to update errors. */
import { type UpdateError, updateError, type UpdateErrorCode } from '#shared/update/update-error'

/** Carries an update error through code that uses exceptions. */
export class Refusal extends Error {
  constructor(readonly error: UpdateError) {
    super(error.code)
  }
}

const codes: Readonly<Record<string, UpdateErrorCode | undefined>> = {
  ENOSPC: 'E_UPDATE_DISK_FULL',
  EDQUOT: 'E_UPDATE_DISK_FULL',
  EFBIG: 'E_UPDATE_DISK_FULL',
  EACCES: 'E_UPDATE_NOT_WRITABLE',
  EPERM: 'E_UPDATE_NOT_WRITABLE',
  EROFS: 'E_UPDATE_NOT_WRITABLE',
  ERR_CHECKSUM_MISMATCH: 'E_UPDATE_DAMAGED',
}

/** The thrown error, or `otherwise` if its code is unknown. */
export function updateErrorOf(reason: unknown, otherwise: UpdateErrorCode): UpdateError {
  if (reason instanceof Refusal) return reason.error
  const { code = '', message } = reason as NodeJS.ErrnoException
  return updateError(codes[code] ?? otherwise, message)
}
