import { useEffect } from 'react'
import type { Share } from '#shared/state/app-state'
import { say } from '../../announce'
import { countdownAt, countdownWords } from '../../view/announcement'

/** Announces the last ten minutes of a code's life, and the last minute, once each. */
export function useCountdownWords(
  { title, code, codeEnd, codeEndsAtMs }: Share,
  nowMs: number,
): void {
  const isLimited = code !== null && codeEnd === null && codeEndsAtMs !== null
  const minutes = isLimited ? countdownAt(codeEndsAtMs, nowMs) : null
  useEffect(() => {
    if (minutes !== null) say(countdownWords(title, minutes))
  }, [minutes, title])
}
