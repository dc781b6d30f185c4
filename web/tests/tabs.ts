/** Tabs of one browser that ask each other for locks. */
import { AskedLocks, type LockChannel } from '../storage/tab-locks'

/** Tabs of one browser without Web Locks. Each hears what the others say; `settle` ends the time for answers. */
export function browser(): { readonly tab: () => AskedLocks; readonly settle: () => void } {
  const channels = new Set<LockChannel>()
  const waiting: (() => void)[] = []
  const wait = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  return {
    tab: () => {
      const channel: LockChannel = {
        onmessage: null,
        postMessage: (data) => {
          for (const each of channels)
            if (each !== channel) each.onmessage?.({ data } as MessageEvent)
        },
      }
      channels.add(channel)
      return new AskedLocks(channel, wait)
    },
    settle: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}
