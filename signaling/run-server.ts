/** A server as a program: how it ends, in `thru serve` and by itself. */
import { type Clock, systemClock } from '#signaling/clock'
import { drainMs } from '#signaling/limits'
import type { Log } from '#signaling/log'
import type { SignalingServer } from '#signaling/server'

/** Longer than a drain takes in a process that is still sound. */
export const lastMs = drainMs + 2000

/** Where faults that nobody caught arrive: `process`. */
export type Program = {
  on(fault: 'uncaughtException' | 'unhandledRejection', run: (reason: unknown) => void): unknown
}

/**
 * Resolves at the first fault that nobody caught. It and all others are logged and end the process no
 * more by themselves; to be called before the server starts.
 */
export const firstFault = (log: Log, program: Program = process): Promise<'fault'> =>
  new Promise((resolve) => {
    const onFault = (reason: unknown): void => {
      log({ event: 'failed', stack: stackOf(reason) })
      resolve('fault')
    }
    program.on('uncaughtException', onFault)
    program.on('unhandledRejection', onFault)
  })

/**
 * Drains the server after `stopped` or `fault` and says whether there was none. What state a fault left is
 * unknown, so the program should end with it; whoever watches it starts it again.
 */
export async function runServer(
  server: SignalingServer,
  stopped: Promise<unknown>,
  fault: Promise<'fault'>,
  clock: Clock = systemClock,
): Promise<boolean> {
  await Promise.race([stopped, fault])
  let cancel = (): void => undefined
  const tooLong = new Promise<void>((resolve) => {
    cancel = clock.after(lastMs, resolve)
  })
  await Promise.race([server.close(), tooLong])
  cancel()
  return (await Promise.race([fault, Promise.resolve(null)])) === null
}

const stackOf = (reason: unknown): string =>
  reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)
