import { useEffect, useState } from 'react'

/** The time, updated once a second while the screen depends on it. */
export function useNow(isActive: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isActive])
  return nowMs
}
