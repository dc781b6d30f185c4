import { Check, Copy, TextCursor } from 'lucide-react'
import type { Ref } from 'react'
import { assertNever } from '#shared/assert-never'
import { text } from '../text'
import { Button } from './button'
import type { CopyState } from './use-copied'

type Props = {
  readonly state: CopyState
  readonly words: string
  readonly onClick: () => void
  readonly variant?: 'primary' | 'plain' | 'ghost'
  readonly size?: 'small' | 'medium'
  readonly hint?: string
  readonly ref?: Ref<HTMLButtonElement>
}

/** A tick briefly replaces the icon after copying. */
export function CopyButton({ state, words, ...rest }: Props) {
  switch (state) {
    case 'rest':
      return (
        <Button {...rest} icon={Copy}>
          {words}
        </Button>
      )
    case 'copied':
      return (
        <Button {...rest} icon={Check} className="copied">
          {text.actions.copied}
        </Button>
      )
    case 'failed':
      return (
        <Button {...rest} icon={TextCursor}>
          {text.actions.copyFailed}
        </Button>
      )
    default:
      return assertNever(state)
  }
}
