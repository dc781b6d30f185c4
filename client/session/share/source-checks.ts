/** First checks of a share's paths. The engine, which has its own threads, checks everything again. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import type { Clock } from '#client/clock'
import { PathChecks, pathError } from '#client/path-checks'
import { type AppError, appError } from '#shared/errors'

/** A sleeping disk is awake by then; a missing disk or file server may never respond. */
const timeoutMs = 20_000

/** Each client has one. */
export const sourceChecks = (clock: Clock): PathChecks =>
  new PathChecks(clock, { check: checkSource, maxUnanswered: 2, timeoutMs })

async function checkSource(path: string): Promise<AppError | null> {
  try {
    const found = await stat(path)
    if (!found.isFile() && !found.isDirectory()) return appError('E_PATH_UNSUPPORTED', '', path)
    const needed = found.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK
    await access(path, needed)
    return null
  } catch (reason) {
    return pathError(reason, path)
  }
}
