import { useEffect, useState } from 'react'
import type { Preflight } from '#shared/offer'
import type { ReceivePlan, Selection } from '#shared/settings/receive-options'
import type { ReceiveId } from '#shared/state/app-state'
import { noticeFailure } from '../../actions/actions'
import { bridge } from '../../bridge'

/** Ticks in quick succession make one query. */
const debounceMs = 150

type Question = Pick<ReceivePlan, 'directory' | 'options'> & {
  /** Without a selection no query is sent. */
  readonly selection: Selection | null
}

/**
 * The result of accepting; `null` until it is known. The last answer stays until the next. A person who returns to the
 * window may have made room meanwhile.
 */
export function usePreflight(
  receive: ReceiveId,
  { directory, options, selection }: Question,
): Preflight | null {
  const [preflight, setPreflight] = useState<Preflight | null>(null)
  const [returns, setReturns] = useState(0)
  useEffect(() => {
    const count = (): void => setReturns((before) => before + 1)
    window.addEventListener('focus', count)
    return () => window.removeEventListener('focus', count)
  }, [])
  useEffect(() => {
    if (selection === null) return
    let isCurrent = true
    const timer = setTimeout(() => {
      void bridge.preflight({ receive, options, selection }).then((reply) => {
        if (!isCurrent) return
        noticeFailure(reply)
        if (reply.ok) setPreflight(reply.value)
      })
    }, debounceMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [receive, directory, options, selection, returns])
  return preflight
}
