import type { Client } from '#client/client'
import type { AppState } from '#shared/state/app-state'

/** Resolves with the first value of `select` that is neither null nor undefined. */
export function waitForState<T>(
  client: Pick<Client, 'snapshot' | 'subscribe'>,
  select: (state: AppState) => T | null | undefined,
): Promise<T> {
  return new Promise((resolve) => {
    const check = (): boolean => {
      const found = select(client.snapshot().state)
      if (found === null || found === undefined) return false
      resolve(found)
      return true
    }
    if (check()) return
    const unsubscribe = client.subscribe(() => {
      if (check()) unsubscribe()
    })
  })
}
