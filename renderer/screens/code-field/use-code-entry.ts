import { type SubmitEvent, useState } from 'react'
import { completed, type DraftHints, hintsFor, withWord } from '#shared/code/code-entry'
import type { AppError } from '#shared/errors'
import type { Receive, ResumableReceive } from '#shared/state/app-state'
import { editCode, joinCode, serverFor } from '../../actions/actions'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { fieldReceive } from '../../view/stack'

export type CodeEntry = {
  readonly value: string
  /** The pending receive of the field's code. */
  readonly pending: Receive | null
  readonly error: AppError | null
  readonly isWrong: boolean
  readonly isFromLink: boolean
  /** The server that the code's link named; `null` if it named none. */
  readonly server: string | null
  /** The server is used only once the person has agreed to it. */
  readonly asksServer: boolean
  readonly hints: DraftHints
  /** Words that may replace the unfinished or wrong one. */
  readonly words: readonly string[]
  /** Index in `words` of the one that Enter takes; -1 for none. */
  readonly active: number
  readonly activate: (index: number) => void
  readonly take: (index: number) => void
  /** The interrupted receive that the code resumes. */
  readonly resumes: ResumableReceive | null
  readonly onSubmit: (event: SubmitEvent) => void
}

/** The code field's state, the same at home and in the top bar. */
export function useCodeEntry(): CodeEntry {
  const draft = useUiStore(({ codeDraft }) => codeDraft)
  const refused = useUiStore(({ codeError }) => codeError)
  const isFromLink = useUiStore(({ codeIsFromLink }) => codeIsFromLink)
  const link = useUiStore(({ codeLink }) => codeLink)
  const transfer = useUiStore((ui) => ui.resumes)
  const resumes = useAppStore(
    ({ state }) => state?.resumableReceives.find((entry) => entry.transfer === transfer) ?? null,
  )
  const receive = useAppStore(({ state }) => (state === null ? null : fieldReceive(state)))
  const isOver = receive?.phase === 'failed'
  const value = draft === '' && receive !== null ? receive.code : draft
  const error = refused ?? (isOver ? receive.error : null)
  const hints = hintsFor(draft)
  const { wrong, completion } = hints
  const asksServer = error?.code === 'E_SERVER_UNCONFIRMED'
  const words = wrong?.nearest ?? (completion === '' ? [] : [lastWord(draft) + completion])
  // A choice applies only to the words of its draft.
  const [choice, setChoice] = useState({ draft, index: -1 })
  return {
    value,
    pending: isOver ? null : receive,
    error,
    isWrong: (error !== null && !asksServer) || wrong !== null,
    isFromLink,
    server: serverFor(draft, link),
    asksServer,
    hints,
    words,
    active: choice.draft === draft ? choice.index : -1,
    activate: (index) => setChoice({ draft, index }),
    take: (index) => {
      const word = words[index]
      if (word !== undefined) {
        editCode(wrong === null ? completed(draft) : withWord(draft, wrong, word))
      }
    },
    resumes,
    onSubmit: (event) => {
      event.preventDefault()
      void joinCode(value)
    },
  }
}

const lastWord = (draft: string): string => (/[a-z]*$/i.exec(draft)?.[0] ?? '').toLowerCase()
