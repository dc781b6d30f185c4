/** The notices of everything that the product contains, which each build writes and packages carry. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/**
 * Their text, for a program whose bundle is in the folder `bundle`, beside which they stand. Error:
 * `E_INTERNAL` where they are missing, which no package is made without.
 */
export async function readNotices(bundle: string): Promise<Result<string, AppError>> {
  try {
    return ok(await readFile(join(bundle, '..', 'THIRD-PARTY-NOTICES.txt'), 'utf8'))
  } catch (reason) {
    return err(appError('E_INTERNAL', String(reason)))
  }
}
