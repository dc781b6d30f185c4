import type { Client } from '#client/client'
import type { AppState } from '#shared/app-state'

/** Resolves with what `look` finds in the state, as soon as it is neither null nor undefined. */
export function until<T>(
  client: Pick<Client, 'snapshot' | 'subscribe'>,
  look: (state: AppState) => T | null | undefined,
): Promise<T> {
  return new Promise((resolve) => {
    const check = (): boolean => {
      const found = look(client.snapshot().state)
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
