/** The bound of a command's end: what it waits for then may never come, and the terminal waits for it. */
import type { Client } from '#client/client'
import { systemClock } from '#client/clock'
import type { EngineModule } from '#client/engine'
import { within } from '#client/within'

/** The engine gives up a disk that hangs after 11 s, and the files that this account remembers after 10 s more. */
const closingMs = 30_000
/** The engine closes once more where a command ended without that; the rest takes milliseconds, or for ever. */
const exitMs = 15_000
/** A person who asks twice waits no longer for a disk that hangs. Nothing is lost that a kill would leave. */
const promptMs = 1000

type EndWithin = EngineModule['endProcessWithin']

const limited = new WeakSet<EndWithin>()
let patienceMs = exitMs

/** Once JavaScript is over, the process ends within 15 s, or as `endPromptly` says; for every client that an engine gets. */
export function limitExit({ endProcessWithin }: Pick<EngineModule, 'endProcessWithin'>): void {
  if (limited.has(endProcessWithin)) return
  limited.add(endProcessWithin)
  // Before all others, of which one may hang.
  process.prependOnceListener('exit', (code) => endProcessWithin(patienceMs, code))
}

/** Ends the process now, or a second later whatever the engine waits for. */
export function endPromptly(exitCode: number): never {
  patienceMs = promptMs
  process.exit(exitCode)
}

/** Closes a client, or leaves that to the end of the process when it takes too long. */
export const closeInTime = (client: Pick<Client, 'close'>): Promise<void> =>
  within(systemClock, closingMs, client.close(), () => undefined)

/** Ends a process that has nothing left to do, and still runs a while later; not while somebody reads what it says. */
export function endLate(): void {
  const end = (): void => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
    else endLate()
  }
  setTimeout(end, exitMs).unref()
}
