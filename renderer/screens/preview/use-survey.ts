import { useEffect, useState } from 'react'
import type { Survey } from '#shared/offer'
import type { ReceivePlan, Selection } from '#shared/settings/receive-options'
import type { ReceiveId } from '#shared/state/app-state'
import { noticeFailure } from '../../actions/actions'
import { bridge } from '../../bridge'

/** Ticks that follow each other quickly are one question. */
const debounceMs = 150

type Question = Pick<ReceivePlan, 'directory' | 'options'> & {
  /** Nothing is asked without one. */
  readonly selection: Selection | null
}

/** What accepting would mean; `null` until that is known. The last answer stays until the next. */
export function useSurvey(
  receive: ReceiveId,
  { directory, options, selection }: Question,
): Survey | null {
  const [survey, setSurvey] = useState<Survey | null>(null)
  useEffect(() => {
    if (selection === null) return
    let isCurrent = true
    const timer = setTimeout(() => {
      void bridge.survey({ receive, options, selection }).then((reply) => {
        if (!isCurrent) return
        noticeFailure(reply)
        if (reply.ok) setSurvey(reply.value)
      })
    }, debounceMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [receive, directory, options, selection])
  return survey
}
