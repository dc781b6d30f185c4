/** Saves a received text to a file that a person chose. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeDurably } from '#client/state/durable-file'
import { renameWithRetry } from '#client/state/rename-with-retry'
import { type AppError, appError, type ErrorCode } from '#shared/errors'

const codes: Readonly<Record<string, ErrorCode>> = { ENOSPC: 'E_DISK_FULL', EIO: 'E_DISK_IO' }

/**
 * Saves `text` as `file`, an absolute path. An existing file is replaced atomically once the whole text is on disk.
 * Errors: `E_DISK_FULL`, `E_DISK_IO`, `E_TARGET_NOT_WRITABLE`; nothing has changed then.
 */
export async function saveText(file: string, text: string): Promise<AppError | null> {
  const temporary = join(dirname(file), `.~thru-${randomBytes(8).toString('hex')}.tmp`)
  try {
    await writeDurably(temporary, text)
    await renameWithRetry(temporary, file)
    return null
  } catch (reason) {
    await rm(temporary, { force: true }).catch(() => undefined)
    const { code = '' } = reason as NodeJS.ErrnoException
    return appError(codes[code] ?? 'E_TARGET_NOT_WRITABLE', code, file)
  }
}
