/** Keeps a phone's screen on, because browsers stop pages when it goes dark. */
import { useEffect } from 'react'

/** Holds the lock while the component is shown. Pages without TLS have none. */
export function useWakeLock(): void {
  useEffect(() => {
    const locks: Promise<WakeLockSentinel>[] = []
    const request = (): void => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      const lock = navigator.wakeLock.request('screen')
      // A low battery is a reason to refuse.
      lock.catch(() => undefined)
      locks.push(lock)
    }
    request()
    // A page that is hidden loses its lock.
    document.addEventListener('visibilitychange', request)
    return () => {
      document.removeEventListener('visibilitychange', request)
      for (const lock of locks) lock.then((held) => held.release()).catch(() => undefined)
    }
  }, [])
}
