/** Limits the duration of a command's end, which may wait for something that never happens. */
import type { Client } from '#client/client'
import { systemClock } from '#client/clock'
import type { EngineModule } from '#client/engine'
import { withTimeout } from '#client/with-timeout'

/** The engine gives up a hanging disk after 11 s, and this account's state files after 10 s more. */
const closingMs = 30_000
/** The engine closes once more if a command ended without closing it; the rest takes milliseconds, or hangs. */
const exitMs = 15_000
/** A person who interrupts twice doesn't wait for a hanging disk. No more is lost than by a kill. */
const promptMs = 1000

type EndWithin = EngineModule['endProcessWithin']

const limited = new WeakSet<EndWithin>()
let patienceMs = exitMs

/** Makes the process end within 15 s of its `exit` event, or as `endPromptly` says. Applies once per engine. */
export function limitExit({ endProcessWithin }: Pick<EngineModule, 'endProcessWithin'>): void {
  if (limited.has(endProcessWithin)) return
  limited.add(endProcessWithin)
  // Runs before all other listeners, one of which may hang.
  process.prependOnceListener('exit', (code) => endProcessWithin(patienceMs, code))
}

/** Ends the process, at the latest a second from now, whatever the engine waits for. */
export function endPromptly(exitCode: number): never {
  patienceMs = promptMs
  process.exit(exitCode)
}

/** Closes a client, or leaves that to the end of the process if it takes too long. */
export const closeInTime = (client: Pick<Client, 'close'>): Promise<void> =>
  withTimeout(systemClock, closingMs, client.close(), () => undefined)

/** Ends a process that has nothing left to do but still runs; waits while its output is being read. */
export function endLate(): void {
  const end = (): void => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
    else endLate()
  }
  setTimeout(end, exitMs).unref()
}
