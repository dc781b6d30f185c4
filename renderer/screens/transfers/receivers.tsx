import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useState } from 'react'
import { hasEnded, isRunning, type Receiver, type Share } from '#shared/state/app-state'
import { disconnectReceiver, pauseShare } from '../../actions/share-actions'
import { Avatar } from '../../components/avatar'
import { IconButton } from '../../components/button'
import { Sparkline } from '../../components/graphs/sparkline'
import { SpeedGraph } from '../../components/graphs/speed-graph'
import { PauseButton, spacePauses } from '../../components/pause-button'
import { Ring, type RingTone } from '../../components/progress'
import { RouteBadge } from '../../components/route-badge'
import { SentenceLine } from '../../components/sentence-line'
import { text } from '../../text'
import { useNow } from '../../use-now'
import { graphEnd, graphTone } from '../../view/graph-view'
import { endedByChoice } from '../../view/receive-view'
import { barTone, endTone, fraction, speed } from '../../view/sentence'
import {
  liveReceivers,
  type ReceiverRow,
  receiverRows,
  rowSentence,
  speedTogether,
} from '../../view/share-view'
import { AddContactButton, ContactBadge } from '../contacts/add-contact'
import { FileList } from '../files/file-list-later'

/** All receivers: the connected ones in the order of joining, then the ended ones. */
export function Receivers({ share }: { readonly share: Share }) {
  const nowMs = useNow(liveReceivers(share).length > 0)
  const together = speedTogether(share, nowMs)
  const rows = receiverRows(share)
  return (
    <section aria-label={text.receivers.title}>
      <div className="together">
        <h3>{text.receivers.count(rows.length)}</h3>
        {together !== null && <span className="sub">{text.receivers.totalSpeed(together)}</span>}
      </div>
      <ul>
        {rows.map((row) => (
          <ReceiverItem key={row.receiver.peer} share={share} row={row} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  )
}

type ItemProps = {
  readonly share: Share
  readonly row: ReceiverRow
  readonly nowMs: number
}

function ReceiverItem({ share, row, nowMs }: ItemProps) {
  const { receiver } = row
  const { peer, name, browser, phase, flow, stall, route, progress, contactRequest } = receiver
  const isMoving = phase === 'receiving' && stall === 'none' && progress !== null
  const paused = flow.kind === 'paused'
  // The pause of the whole share covers each of its receivers.
  const canPause = isRunning(receiver) && !share.paused
  const [wantsFiles, setIsOpen] = useState(false)
  const hasFiles = isRunning(receiver)
  const isOpen = wantsFiles && hasFiles
  const pause = (): void => {
    void pauseShare(share.id, peer, !paused)
  }
  return (
    <li aria-label={text.person(name)} {...(canPause && spacePauses(pause))}>
      <div className="peer">
        <Ring fraction={ringFraction(receiver)} name={text.person(name)} tone={ringTone(receiver)}>
          <Avatar name={name} />
        </Ring>
        <div className="grow">
          <div className="peer-name">
            <span className="trunc">{text.person(name)}</span>
            {route && <RouteBadge route={route} />}
            {browser && <span className="contact-badge">{text.receivers.inBrowser}</span>}
            <ContactBadge contactRequest={contactRequest} />
            <AddContactButton
              isIcon
              side={{ share: share.id, peer }}
              name={name}
              contactRequest={contactRequest}
            />
          </div>
          <SentenceLine of={rowSentence(row, nowMs)} />
        </div>
        {isMoving && (
          <span className="peer-speed">
            <Sparkline samples={progress.samples} isRelay={route?.kind === 'relay'} />
            <span className="rate">{speed(progress, nowMs)}</span>
          </span>
        )}
        <span className="peer-acts">
          {hasFiles && (
            <IconButton
              name={text.receivers.files({ name, isOpen })}
              icon={isOpen ? ChevronUp : ChevronDown}
              size="small"
              expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            />
          )}
          {canPause && <PauseButton isSmall paused={paused} onPause={pause} />}
          {!hasEnded(receiver) && phase !== 'approving' && (
            <IconButton
              name={text.receivers.disconnect(name)}
              icon={X}
              size="small"
              onClick={() => void disconnectReceiver(share.id, peer)}
            />
          )}
        </span>
      </div>
      {isOpen && <ReceiverFiles share={share} row={row} nowMs={nowMs} />}
    </li>
  )
}

/** The files sent to one receiver, and the speed. */
function ReceiverFiles({ share, row: { receiver }, nowMs }: ItemProps) {
  const { peer, phase, flow, progress } = receiver
  const isPaused = flow.kind === 'paused' || flow.kind === 'paused-by-peer'
  return (
    <div className="peer-files">
      {progress?.history !== undefined && (
        <SpeedGraph
          history={progress.history}
          endMs={graphEnd(progress.history, nowMs, isPaused)}
          tone={graphTone(receiver)}
        />
      )}
      <FileList
        side={{ share: share.id, peer }}
        isMoving={phase === 'receiving' || phase === 'finishing'}
        canChoose={false}
      />
    </div>
  )
}

const ringFraction = ({ phase, progress }: Receiver): number => {
  if (phase === 'done' || phase === 'in-step') return 1
  return progress === null ? 0 : fraction(progress)
}

function ringTone(receiver: Receiver): RingTone {
  const { phase, route, outcome, error } = receiver
  if (phase === 'done' || phase === 'in-step')
    return outcome && endTone(outcome) === 'success' ? 'success' : 'accent'
  if (phase === 'failed') return endedByChoice({ error }) ? 'accent' : 'danger'
  if (phase === 'interrupted') return 'warning'
  const tone = barTone(receiver)
  return tone === 'accent' && route?.kind === 'relay' ? 'relay' : tone
}
