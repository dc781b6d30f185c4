/** Renames a file, replacing an existing one. */
import { rename } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** Errors of Windows while a scanner or an indexer briefly locks one of the files. */
const passing: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY'])

const maxPauseMs = 256

/** `fs.rename`, retried for half a second on Windows while another program has a file open. */
export async function renameWithRetry(
  from: string,
  to: string,
  { platform, call }: { readonly platform: NodeJS.Platform; readonly call: typeof rename } = {
    platform: process.platform,
    call: rename,
  },
): Promise<void> {
  for (let pauseMs = 1; ; pauseMs *= 2) {
    try {
      await call(from, to)
      return
    } catch (reason) {
      const { code } = reason as NodeJS.ErrnoException
      if (platform !== 'win32' || !passing.has(code) || pauseMs > maxPauseMs) throw reason
    }
    await pause(pauseMs)
  }
}
