/** Ends and removals that a person can undo for some seconds, because they are done only then. */
import type { Client } from '#client/client'
import type { Clock } from '#client/clock'
import { isRunning } from '#shared/app-state'
import type { AppError } from '#shared/errors'
import type { Args } from '#shared/ipc'
import { ok, type Result } from '#shared/result'

/** Long enough to see that it was a slip, and to reach the button. */
export const undoMs = 5000

/** What is done later. `begin` is done at once, and `undo` brings back what was before. */
export type Act = {
  readonly begin: () => void
  readonly run: () => Promise<Result<null, AppError>>
  readonly undo: () => void
}

/** The app has one. At most one act waits: another one carries it out, and so does the end of the app. */
export class Deferred {
  readonly #clock: Pick<Clock, 'after'>
  #waiting: { readonly carryOut: () => Promise<void>; readonly undo: () => void } | null = null

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock
  }

  /** Resolves once it was done, with true, or undone, with false. Errors: those of the act. */
  defer({ begin, run, undo }: Act): Promise<Result<boolean, AppError>> {
    void this.flush()
    begin()
    return new Promise((resolve) => {
      const cancel = this.#clock.after(undoMs, () => void this.flush())
      const end = (): void => {
        cancel()
        this.#waiting = null
      }
      this.#waiting = {
        carryOut: async () => {
          end()
          const done = await run()
          resolve(done.ok ? ok(true) : done)
        },
        undo: () => {
          end()
          undo()
          resolve(ok(false))
        },
      }
    })
  }

  /** Brings back what waits, if anything does. */
  undo(): null {
    this.#waiting?.undo()
    return null
  }

  /** Carries out what waits. */
  async flush(): Promise<void> {
    await this.#waiting?.carryOut()
  }
}

/** What a page asked to be deferred. A transfer stands still meanwhile. */
export function actOf(client: Client, request: Args<'defer'>): Act {
  if ('removeHistory' in request) {
    return { ...still, run: () => client.history.remove(request.removeHistory) }
  }
  const { shares, receives } = client.snapshot().state
  if ('stopShare' in request) {
    const { stopShare: id } = request
    const share = shares.find((one) => one.id === id)
    const moves = share?.paused === false && share.receivers.some(isRunning)
    const run = () => Promise.resolve(client.stopShare(id))
    return moves ? pausing((paused) => client.pauseShare(id, null, paused), run) : { ...still, run }
  }
  const { cancelReceive: id } = request
  const receive = receives.find((one) => one.id === id)
  const moves = receive !== undefined && isRunning(receive) && receive.flow.kind !== 'paused'
  const run = () => Promise.resolve(client.cancel(id))
  return moves ? pausing((paused) => client.pauseReceive(id, paused), run) : { ...still, run }
}

const still = { begin: () => undefined, undo: () => undefined } as const

const pausing = (pause: (paused: boolean) => unknown, run: Act['run']): Act => ({
  begin: () => void pause(true),
  undo: () => void pause(false),
  run,
})
