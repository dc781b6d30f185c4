import { useEffect, useState } from 'react'
import { copyText } from '../actions/actions'
import { say } from '../announce'
import { text as words } from '../text'

export type CopyState = 'rest' | 'copied' | 'failed'

/** Duration of the tick. */
const shownMs = 1500

/** Copies, by default text, and reports the result for a moment. */
export function useCopied(
  copyIt: (text: string) => Promise<boolean> = copyText,
): readonly [CopyState, (text: string) => void] {
  const [state, setState] = useState<CopyState>('rest')
  useEffect(() => {
    if (state === 'rest') return
    const timer = setTimeout(() => setState('rest'), shownMs)
    return () => clearTimeout(timer)
  }, [state])
  const copy = (text: string): void => {
    void copyIt(text).then((isCopied) => {
      setState(isCopied ? 'copied' : 'failed')
      say(isCopied ? words.actions.copied : words.actions.copyFailed)
    })
  }
  return [state, copy]
}
