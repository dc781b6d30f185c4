/** Runs and ends a server, for `thru serve` and for the program of its own. */
import { type Clock, systemClock } from '#signaling/clock'
import { drainMs, maxDrainSeconds } from '#signaling/limits/limits'
import type { Log } from '#signaling/log'
import type { SignalingServer } from '#signaling/server'

/** Longer than the drain of a healthy process. */
export const lastMs = drainMs + 2000

/** The same for a server that first moves its clients away in stages. */
export const maxMs = lastMs + 1000 * maxDrainSeconds

/** The source of uncaught errors: `process`. */
export type Program = {
  on(event: 'uncaughtException' | 'unhandledRejection', run: (reason: unknown) => void): unknown
}

/**
 * Resolves at the first uncaught error. All of them are logged and no longer end the process. Call this
 * before the server starts.
 */
export const firstUncaughtError = (log: Log, program: Program = process): Promise<'error'> =>
  new Promise((resolve) => {
    const onError = (reason: unknown): void => {
      log({ event: 'failed', stack: stackOf(reason) })
      resolve('error')
    }
    program.on('uncaughtException', onError)
    program.on('unhandledRejection', onError)
  })

/**
 * Drains the server after `stopped` or an `uncaught` error, including one during a staged drain. Returns true
 * without errors. After one, the state is unknown and the program should end, for its supervisor to restart.
 */
export async function runServer(
  server: SignalingServer,
  stopped: Promise<unknown>,
  uncaught: Promise<'error'>,
  clock: Clock = systemClock,
): Promise<boolean> {
  const within = async (ms: number, end: Promise<unknown>): Promise<void> => {
    let cancel = (): void => undefined
    const tooLong = new Promise<void>((resolve) => {
      cancel = clock.after(ms, resolve)
    })
    await Promise.race([end, tooLong])
    cancel()
  }
  const why = await Promise.race([stopped, uncaught])
  if (why !== 'error') await within(maxMs, Promise.race([server.leave(), uncaught]))
  if ((await Promise.race([uncaught, Promise.resolve(null)])) === null) return true
  await within(lastMs, server.close())
  return false
}

const stackOf = (reason: unknown): string =>
  reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)
