/** Delays ends and removals for a few seconds, so that a person can undo them. */
import type { Client } from '#client/client'
import type { Clock } from '#client/clock'
import { ended } from '#client/session/requests'
import type { AppError } from '#shared/errors'
import type { Args } from '#shared/ipc'
import { ok, type Result } from '#shared/result'
import { isRunning } from '#shared/state/app-state'

/** Long enough to notice a mistake and to reach the button. */
export const undoMs = 5000

export type Act = {
  readonly run: () => Result<null, AppError> | Promise<Result<null, AppError>>
  /** Pauses a running transfer until `run`; `undo` resumes it. */
  readonly pause?: ((paused: boolean) => unknown) | undefined
}

/** The app has one. At most one act is pending: the next act runs it, as does the end of the app. */
export class Deferred {
  readonly #clock: Pick<Clock, 'after'>
  #end: ((isDone: boolean) => Promise<void>) | null = null

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock
  }

  /** Resolves with true once the act has run, with false once it was undone. Errors: those of the act. */
  defer({ run, pause }: Act): Promise<Result<boolean, AppError>> {
    void this.flush()
    pause?.(true)
    return new Promise((resolve) => {
      const cancel = this.#clock.after(undoMs, () => void this.flush())
      this.#end = async (isDone) => {
        cancel()
        this.#end = null
        if (!isDone) pause?.(false)
        const done = isDone ? await run() : ok(null)
        resolve(done.ok ? ok(isDone) : done)
      }
    })
  }

  /** Undoes the pending act, if any. */
  undo(): null {
    void this.#end?.(false)
    return null
  }

  /** Runs the pending act. */
  async flush(): Promise<void> {
    await this.#end?.(true)
  }
}

/** The act that a page asked to defer. */
export function actOf(client: Client, request: Args<'defer'>): Act {
  if ('removeHistory' in request) return { run: () => client.history.remove(request.removeHistory) }
  if ('dismiss' in request) {
    return {
      run: () => {
        for (const id of request.dismiss) client.dismiss(id)
        return ok(null)
      },
    }
  }
  const { shares, receives } = client.snapshot().state
  if ('stopShare' in request) {
    const { stopShare: id } = request
    const share = shares.find((one) => one.id === id)
    const moves = share?.paused === false && share.receivers.some(isRunning)
    return {
      run: () => (client.shares.get(id) ?? client.requests.get(id))?.stop() ?? ended,
      pause: moves ? (paused) => client.shares.get(id)?.pause(null, paused) : undefined,
    }
  }
  const { cancelReceive: id } = request
  const receive = receives.find((one) => one.id === id)
  const moves = receive !== undefined && isRunning(receive) && receive.flow.kind !== 'paused'
  return {
    run: () => client.receives.get(id)?.cancel() ?? ended,
    pause: moves ? (paused) => client.receives.get(id)?.pause(paused) : undefined,
  }
}
