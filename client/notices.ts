/** License notices of all parts of the product; each build writes them, and packages contain them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/** Reads the notices next to the folder `bundle`. Error: `E_INTERNAL` if they are missing; every package has them. */
export async function readNotices(bundle: string): Promise<Result<string, AppError>> {
  try {
    return ok(await readFile(join(bundle, '..', 'THIRD-PARTY-NOTICES.txt'), 'utf8'))
  } catch (reason) {
    return err(appError('E_INTERNAL', String(reason)))
  }
}
