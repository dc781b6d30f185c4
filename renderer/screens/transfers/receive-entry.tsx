import { Ban, Check, CircleAlert, Play, RotateCw, Route, X } from 'lucide-react'
import { hasEnded, type Receive, type ResumableReceive } from '#shared/state/app-state'
import { declineOffer, dismiss, pauseReceive } from '../../actions/actions'
import { tryAgain } from '../../actions/resume-actions'
import { Avatar } from '../../components/avatar'
import { Button, IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { PauseButton } from '../../components/pause-button'
import { Ring } from '../../components/progress'
import { RouteBadge } from '../../components/route-badge'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { useNow } from '../../use-now'
import {
  canPause,
  continued,
  endedByChoice,
  isUndecided,
  receiveSentence,
  receiveTitle,
} from '../../view/receive-view'
import { barTone, endTone, fraction } from '../../view/sentence'
import { EndingRow } from './ending-row'
import { ExpandButton } from './expand-button'
import { PartialRow } from './partial-row'
import { ReceiveCard } from './receive-card'
import { ReceiveFailed } from './receive-failed'
import { ResultCard } from './result-card'
import { ReviewButton } from './review-button'
import { TransferRow } from './transfer-row'

type Props = { readonly receive: Receive; readonly isOpen: boolean }

/** A receive as a card when open, else as a row. */
export function ReceiveEntry({ receive, isOpen }: Props) {
  const isEnding = useUiStore(
    ({ ending }) =>
      ending !== null && 'cancelReceive' in ending && ending.cancelReceive === receive.id,
  )
  const left = useAppStore(({ state }) => state && continued(state, receive))
  if (isEnding && !hasEnded(receive)) {
    return <EndingRow title={receive.title} words={text.receive.canceling} />
  }
  if (hasEnded(receive) && endedByChoice(receive) && left !== null) {
    return <CanceledRow receive={receive} left={left} />
  }
  if (!isOpen) return <ReceiveRow receive={receive} />
  if (receive.phase === 'done') return <ResultCard receive={receive} />
  if (hasEnded(receive)) return <ReceiveFailed receive={receive} />
  return <ReceiveCard receive={receive} />
}

function ReceiveRow({ receive }: { readonly receive: Receive }) {
  const { id, phase, from, route, flow } = receive
  const isOver = hasEnded(receive)
  const nowMs = useNow(!isOver)
  const paused = flow.kind === 'paused'
  const pause = (): void => {
    void pauseReceive(id, !paused)
  }
  return (
    <TransferRow
      tile={<ReceiveTile receive={receive} />}
      title={receiveTitle(receive)}
      who={from === '' ? undefined : text.receive.from(from)}
      sentence={receiveSentence(receive, nowMs)}
      onSpace={canPause(receive) ? pause : undefined}
    >
      {phase === 'receiving' && route && <RouteBadge route={route} />}
      <ReviewButton receive={receive} />
      {isUndecided(receive) && (
        <Button variant="ghost" size="small" onClick={() => void declineOffer(id)}>
          {phase === 'offered' ? text.preview.decline : text.actions.cancel}
        </Button>
      )}
      {phase === 'interrupted' && (
        <Button size="small" icon={Play} onClick={() => void tryAgain(receive)}>
          {text.actions.resume}
        </Button>
      )}
      {canPause(receive) && <PauseButton isSmall paused={paused} onPause={pause} />}
      {!isUndecided(receive) && !endedByChoice(receive) && <ExpandButton id={id} isOpen={false} />}
      {isOver && <IconButton name={text.actions.close} icon={X} onClick={() => void dismiss(id)} />}
    </TransferRow>
  )
}

/** A canceled receive with partial files on the disk. */
function CanceledRow({
  receive,
  left,
}: {
  readonly receive: Receive
  readonly left: ResumableReceive
}) {
  const { id, from } = receive
  const nowMs = useNow(false)
  return (
    <PartialRow
      entry={left}
      tile={<ReceiveTile receive={receive} />}
      title={receiveTitle(receive)}
      from={from}
      sentence={receiveSentence(receive, nowMs)}
      resumeWords={text.actions.resume}
      onResume={() => void tryAgain(receive)}
      onDeleted={() => void dismiss(id)}
    >
      <IconButton name={text.actions.close} icon={X} onClick={() => void dismiss(id)} />
    </PartialRow>
  )
}

function ReceiveTile({ receive }: { readonly receive: Receive }) {
  const { from, progress } = receive
  if (canPause(receive)) {
    return (
      <Ring
        fraction={progress === null ? 0 : fraction(progress)}
        name={receive.title}
        tone={receive.phase === 'reconnecting' ? 'warning' : barTone(receive)}
      >
        <Avatar name={from} />
      </Ring>
    )
  }
  const [tone, icon] = tileOf(receive)
  return (
    <span className={`tile ${tone}`}>
      <Icon of={icon} size={20} />
    </span>
  )
}

function tileOf(receive: Receive) {
  switch (receive.phase) {
    case 'in-step':
    case 'done':
      return endTile(receive.outcome)
    case 'interrupted':
      return ['warning', RotateCw] as const
    case 'failed':
      return endedByChoice(receive) ? (['', Ban] as const) : (['danger', CircleAlert] as const)
    default:
      return ['accent', Route] as const
  }
}

function endTile(outcome: Receive['outcome']) {
  const tone = outcome === null ? 'success' : endTone(outcome)
  return [tone, tone === 'warning' ? CircleAlert : Check] as const
}
