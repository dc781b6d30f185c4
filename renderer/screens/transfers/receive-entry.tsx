import { Ban, Check, CircleAlert, Route, X } from 'lucide-react'
import type { Receive } from '#shared/app-state'
import { declineOffer, dismiss } from '../../actions'
import { Avatar } from '../../components/avatar'
import { Button, IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { Ring } from '../../components/progress'
import { RouteBadge } from '../../components/route-badge'
import { text } from '../../text/en'
import { useNow } from '../../use-now'
import { endedByChoice, isUndecided, receiveSentence, receiveTitle } from '../../view/receive-view'
import { fraction } from '../../view/sentence'
import { FoldButton } from './fold-button'
import { ReceiveCard } from './receive-card'
import { ReceiveFailed } from './receive-failed'
import { ResultCard } from './result-card'
import { TransferRow } from './transfer-row'

type Props = { readonly receive: Receive; readonly isOpen: boolean }

/** A receive as a card when open, else as a row. */
export function ReceiveEntry({ receive, isOpen }: Props) {
  if (!isOpen) return <ReceiveRow receive={receive} />
  if (receive.phase === 'done') return <ResultCard receive={receive} />
  if (receive.phase === 'failed') return <ReceiveFailed receive={receive} />
  return <ReceiveCard receive={receive} />
}

function ReceiveRow({ receive }: { readonly receive: Receive }) {
  const { id, phase, from, route } = receive
  const hasEnded = phase === 'done' || phase === 'failed'
  const nowMs = useNow(!hasEnded)
  return (
    <TransferRow
      tile={<ReceiveTile receive={receive} />}
      title={receiveTitle(receive)}
      {...(from === '' ? {} : { who: text.receive.from(from) })}
      sentence={receiveSentence(receive, nowMs)}
    >
      {phase === 'receiving' && route && <RouteBadge route={route} />}
      {isUndecided(receive) && (
        <Button look="ghost" size="small" onClick={() => void declineOffer(id)}>
          {text.receive.cancel}
        </Button>
      )}
      {!isUndecided(receive) && !endedByChoice(receive) && <FoldButton id={id} isOpen={false} />}
      {hasEnded && (
        <IconButton name={text.result.close} icon={X} onClick={() => void dismiss(id)} />
      )}
    </TransferRow>
  )
}

function ReceiveTile({ receive }: { readonly receive: Receive }) {
  const { phase, from, progress, outcome } = receive
  if (phase === 'receiving') {
    return (
      <Ring
        fraction={progress === null ? 0 : fraction(progress)}
        name={receive.title}
        tone="accent"
      >
        <Avatar name={from} />
      </Ring>
    )
  }
  const [tone, icon] =
    phase === 'done'
      ? outcome?.problems === 0
        ? (['success', Check] as const)
        : (['warning', CircleAlert] as const)
      : phase === 'failed'
        ? endedByChoice(receive)
          ? (['', Ban] as const)
          : (['danger', CircleAlert] as const)
        : (['accent', Route] as const)
  return (
    <span className={`tile ${tone}`}>
      <Icon of={icon} size={20} />
    </span>
  )
}
