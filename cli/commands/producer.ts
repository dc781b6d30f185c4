/** A program whose output is shared. Its failure fails the stream, which a plain pipe couldn't report. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { text } from '../text'

export type Producer = {
  /** Readable end of its output. */
  readonly descriptor: number
  /** Resolves with `null` once it has ended successfully. */
  readonly ended: Promise<AppError | null>
  /** Ends it if it is still running. */
  readonly stop: () => void
}

/**
 * Starts `command` in a shell, without input and with this program's standard error. Error:
 * `E_BAD_ARGUMENT` if there is no shell or no named pipe.
 */
export function startProducer(
  command: string,
  platform: NodeJS.Platform = process.platform,
): Result<Producer, AppError> {
  // Node exposes no descriptors of its own pipes, so a named pipe is opened for a moment.
  const folder = platform === 'win32' ? null : mkdtempSync(join(tmpdir(), 'thru-run-'))
  if (folder === null) return err(appError('E_BAD_ARGUMENT', text.argument.runOnWindows, '--run'))
  const pipe = join(folder, 'output')
  try {
    const made = spawnSync('mkfifo', ['-m', '600', pipe])
    if (made.status !== 0) return err(appError('E_BAD_ARGUMENT', text.argument.noPipe, '--run'))
    // Non-blocking, because the writer opens the pipe only afterwards.
    const descriptor = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    const output = openSync(pipe, 'w')
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', output, 'inherit'] })
    closeSync(output)
    return ok({ descriptor, ended: endOf(child), stop: () => void child.kill() })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const endOf = (child: ChildProcess): Promise<AppError | null> =>
  new Promise((resolve) => {
    const broken = (why: string): AppError => appError('E_STREAM_BROKEN', why, '--run')
    child.once('error', ({ message }) => resolve(broken(message)))
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(null)
      else resolve(broken(text.share.producerFailed(signal ?? code ?? 0)))
    })
  })
