import { Download, type LucideIcon, Plus, RotateCw, Settings } from 'lucide-react'
import type { AppError } from '#shared/errors'
import { copyReport, focusCodeField, restart } from '../actions/actions'
import { openSettings } from '../actions/section-actions'
import { pickAndShare } from '../actions/share-actions'
import { text } from '../text'
import { remedies, type RemedyAction } from '../view/remedies'
import { Button } from './button'
import { CopyButton } from './copy-button'
import { useCopied } from './use-copied'

type Act = { readonly icon: LucideIcon; readonly act: () => void }

/** Actions that need only a click; the others are offered at their transfer or folder. */
const acts: { readonly [action in RemedyAction]?: Act } = {
  'network-settings': {
    icon: Settings,
    act: () => openSettings('network'),
  },
  'enter-code': { icon: Download, act: focusCodeField },
  'choose-files': { icon: Plus, act: () => void pickAndShare('files') },
  restart: { icon: RotateCw, act: () => void restart() },
}

type Props = {
  readonly error: AppError
  readonly size?: 'small' | 'medium'
  /** Also called when the action answers the error. */
  readonly onDone?: () => void
  /** Actions that are offered here in another form. */
  readonly except?: readonly RemedyAction[]
}

/** The action that remedies an error, if it works from anywhere in the window. */
export function RemedyButton({ error, size = 'medium', onDone, except = [] }: Props) {
  const { action } = remedies[error.code]
  if (action === 'copy-report') return <CopyReport size={size} />
  const found = action === null || except.includes(action) ? undefined : acts[action]
  if (action === null || found === undefined) return null
  return (
    <Button
      size={size}
      icon={found.icon}
      onClick={() => {
        found.act()
        onDone?.()
      }}
    >
      {text.remedies[action]}
    </Button>
  )
}

/** Confirms for a moment that the report was copied. */
function CopyReport({ size }: { readonly size: 'small' | 'medium' }) {
  const [state, copy] = useCopied(copyReport)
  return (
    <CopyButton
      state={state}
      words={text.remedies['copy-report']}
      size={size}
      onClick={() => copy('')}
    />
  )
}
