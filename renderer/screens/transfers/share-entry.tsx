import { Repeat2, Upload, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Share } from '#shared/state/app-state'
import { hasStopped } from '#shared/state/queries'
import { dismiss } from '../../actions/actions'
import { pauseShare, shareAgain } from '../../actions/share-actions'
import { bridge } from '../../bridge'
import { Button, IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { PauseButton } from '../../components/pause-button'
import { Ring } from '../../components/progress'
import { RemedyButton } from '../../components/remedy-button'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { useNow } from '../../use-now'
import { shareIcon } from '../../view/item-icon'
import { canPause, liveReceivers, shareFraction, shareSentence } from '../../view/share-view'
import { EndingRow } from './ending-row'
import { ErrorCard } from './error-card'
import { ExpandButton } from './expand-button'
import { ShareCard } from './share-card'
import { TransferRow } from './transfer-row'

type Props = { readonly share: Share; readonly isOpen: boolean }

/** A share as a card when open, else as a row. */
export function ShareEntry({ share, isOpen }: Props) {
  const isEnding = useUiStore(
    ({ ending }) => ending !== null && 'stopShare' in ending && ending.stopShare === share.id,
  )
  if (isEnding && !hasStopped(share)) {
    return <EndingRow title={share.title} words={text.share.stopping} />
  }
  if (!isOpen) return <ShareRow share={share} />
  if (share.phase === 'failed' && share.error !== null) {
    return (
      <ErrorCard error={share.error} about={share.title} id={share.id}>
        <RemedyButton error={share.error} />
      </ErrorCard>
    )
  }
  return <ShareCard share={share} />
}

function ShareRow({ share }: { readonly share: Share }) {
  const live = liveReceivers(share)
  const hasEnded = share.phase === 'stopped' || share.phase === 'failed'
  const nowMs = useNow(!hasEnded)
  const pause = (paused: boolean): void => {
    void pauseShare(share.id, null, paused)
  }
  return (
    <TransferRow
      tile={
        live.length > 0 ? (
          <Ring
            fraction={shareFraction(share)}
            name={share.title}
            tone={share.paused ? 'still' : 'accent'}
          >
            <span className="avatar small person-2">
              <Icon of={Upload} size={14} />
            </span>
          </Ring>
        ) : (
          <span className={hasEnded ? 'tile' : 'tile accent'}>
            <Icon of={shareIcon(share)} size={20} />
          </span>
        )
      }
      title={share.title}
      sentence={shareSentence(share, nowMs)}
      onSpace={canPause(share) ? () => pause(!share.paused) : undefined}
    >
      {canPause(share) && <PauseButton isSmall paused={share.paused} onPause={pause} />}
      {share.phase === 'stopped' && <ShareAgainButton share={share} />}
      {share.phase !== 'stopped' && <ExpandButton id={share.id} isOpen={false} />}
      {hasEnded && (
        <IconButton name={text.actions.close} icon={X} onClick={() => void dismiss(share.id)} />
      )}
    </TransferRow>
  )
}

/** Shown only while some of its items still exist. */
function ShareAgainButton({ share: { id } }: { readonly share: Share }) {
  const [isPossible, setIsPossible] = useState(false)
  useEffect(() => {
    void bridge.canShareAgain({ share: id }).then((reply) => setIsPossible(reply.ok && reply.value))
  }, [id])
  if (!isPossible) return null
  return (
    <Button size="small" icon={Repeat2} onClick={() => void shareAgain(id)}>
      {text.share.again}
    </Button>
  )
}
