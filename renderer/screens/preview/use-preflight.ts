import { useEffect, useState } from 'react'
import type { Preflight } from '#shared/offer'
import type { ReceiveOptions, ReceivePlan, Selection } from '#shared/settings/receive-options'
import type { ReceiveId } from '#shared/state/app-state'
import { noticeFailure } from '../../actions/actions'
import { bridge } from '../../bridge'

/** Ticks in quick succession make one query. */
const debounceMs = 150

type Question = Pick<ReceivePlan, 'directory' | 'options'> & {
  /** Without a selection no query is sent. */
  readonly selection: Selection | null
}

type Answer = {
  /** `null` until it is known; the last one stays until the next. */
  readonly preflight: Preflight | null
  /** False while the engine has not checked the chosen names of items with these options. */
  readonly areNamesChecked: boolean
}

/** The result of accepting. A person who returns to the window may have made room meanwhile. */
export function usePreflight(
  receive: ReceiveId,
  { directory, options, selection }: Question,
): Answer {
  const [preflight, setPreflight] = useState<Preflight | null>(null)
  const [answered, setAnswered] = useState<ReceiveOptions | null>(null)
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
        setAnswered(options)
      })
    }, debounceMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [receive, directory, options, selection, returns])
  const { renames = [] } = options
  return { preflight, areNamesChecked: renames.length === 0 || answered === options }
}
