import type { SubmitEvent } from 'react'
import type { Receive, Unfinished } from '#shared/app-state'
import type { AppError } from '#shared/errors'
import { joinCode } from '../../actions'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { fieldReceive } from '../../view/stack'

export type CodeEntry = {
  readonly value: string
  /** The receive that the field's code started and that is still on its way. */
  readonly pending: Receive | null
  readonly error: AppError | null
  readonly isWrong: boolean
  /** The interrupted receive that the code goes on with. */
  readonly continues: Unfinished | null
  readonly onSubmit: (event: SubmitEvent) => void
}

/** The code field's state, the same at home and in the top bar. */
export function useCodeEntry(): CodeEntry {
  const draft = useUiStore(({ codeDraft }) => codeDraft)
  const refused = useUiStore(({ codeError }) => codeError)
  const transfer = useUiStore((ui) => ui.continues)
  const continues = useAppStore(
    ({ state }) => state?.unfinished.find((entry) => entry.transfer === transfer) ?? null,
  )
  const told = useAppStore(({ state }) => (state === null ? null : fieldReceive(state)))
  const isOver = told?.phase === 'failed'
  const value = draft === '' && told !== null ? told.code : draft
  const error = refused ?? (isOver ? told.error : null)
  return {
    value,
    pending: isOver ? null : told,
    error,
    isWrong: error !== null,
    continues,
    onSubmit: (event) => {
      event.preventDefault()
      void joinCode(value)
    },
  }
}
