import { FolderOpen } from 'lucide-react'
import { describeMissing } from '#shared/describe-peer'
import { formatBytes, formatCount, formatPercent } from '#shared/format/format'
import type { Progress, Receive } from '#shared/state/app-state'
import { pauseReceive, showFolder } from '../../actions/actions'
import { cancelReceive } from '../../actions/undo-actions'
import { Avatar } from '../../components/avatar'
import { Button, IconButton } from '../../components/button'
import { SpeedGraph } from '../../components/graphs/speed-graph'
import { ItemList } from '../../components/item-list'
import { later } from '../../components/later'
import { MappedNames } from '../../components/mapped-names'
import { PauseButton, spacePauses } from '../../components/pause-button'
import { Bar } from '../../components/progress'
import { RouteBadge } from '../../components/route-badge'
import { SafetyNumbers } from '../../components/safety-numbers'
import { SentenceLine } from '../../components/sentence-line'
import { text } from '../../text'
import { isolatedPath } from '../../text/names'
import { useNow } from '../../use-now'
import { endsTransfer } from '../../view/controls'
import { graphEnd, graphTone } from '../../view/graph-view'
import { canPause, receiveSentence } from '../../view/receive-view'
import { barTone, fraction, holdLabel, speed, timeLeft } from '../../view/sentence'
import { AddContactButton, ContactBadge } from '../contacts/add-contact'
import { FileList } from '../files/file-list-later'
import { ExpandButton } from './expand-button'
import { ProblemList } from './problem-list'

const ReceivedTexts = later(async () => (await import('./received-texts')).ReceivedTexts)
const ConnectionDetails = later(
  async () => (await import('./connection-details')).ConnectionDetails,
)

const Deletions = later(async () => (await import('./deletions')).Deletions)

/** More items need a list that scrolls, which a card doesn't have. */
const itemsShown = 12

/** A running receive: four figures, a bar, and its items. */
export function ReceiveCard({ receive }: { readonly receive: Receive }) {
  const { id, phase, from, title, directory, route, flow, stall, progress, items } = receive
  const { contactRequest } = receive
  const safety = receive.nearby ?? receive.safety
  const nowMs = useNow(true)
  const { lead, tone, rest } = receiveSentence(receive, nowMs)
  const isLost = phase === 'reconnecting'
  // The figures already show the amount, but not the reason for a stall.
  const why = isLost ? rest[0] : holdLabel(receive)
  const paused = flow.kind === 'paused'
  // A list of one file would repeat the title; without a connection there is no list.
  const hasList = progress !== null && !isLost && (receive.totals?.files ?? 0) > 1
  const pause = (): void => {
    void pauseReceive(id, !paused)
  }
  return (
    <article className="card" aria-label={title} {...(canPause(receive) && spacePauses(pause))}>
      <header className="card-head tight">
        <Avatar name={from} size="medium" />
        <div className="grow">
          <h2 className="title trunc">{title}</h2>
          <p className="sub trunc">
            {text.receive.fromTo({ name: from, directory: isolatedPath(directory ?? '') })}
          </p>
        </div>
        <ContactBadge contactRequest={contactRequest} />
        {route && <RouteBadge route={route} />}
        <AddContactButton
          isIcon
          side={{ receive: id }}
          name={from}
          contactRequest={contactRequest}
        />
        {canPause(receive) && <PauseButton paused={paused} onPause={pause} />}
        <Button variant="ghost" className={endsTransfer} onClick={() => void cancelReceive(id)}>
          {text.actions.cancel}
        </Button>
        <IconButton
          name={text.actions.showFolder}
          icon={FolderOpen}
          onClick={() => void showFolder(id)}
        />
        <ExpandButton id={id} isOpen />
      </header>
      <Figures
        progress={progress}
        nowMs={nowMs}
        isMoving={phase === 'receiving' && stall === 'none'}
      />
      <div className="open-track">
        <Bar
          fraction={progress === null ? 0 : fraction(progress)}
          name={title}
          tone={isLost ? 'warning' : barTone(receive)}
        />
        <SentenceLine of={{ lead, tone, rest: why ? [why] : [] }} />
      </div>
      <ReceivedTexts receive={receive} />
      <MappedNames title={text.result.changedNames} of={receive} />
      {phase === 'in-step' && receive.problems.length > 0 && (
        <ProblemList problems={receive.problems} describe={describeMissing} />
      )}
      {receive.deletions !== undefined && <Deletions of={receive.deletions} />}
      {progress?.history !== undefined && (
        <SpeedGraph
          history={progress.history}
          endMs={graphEnd(progress.history, nowMs, paused || isLost)}
          tone={graphTone(receive)}
        />
      )}
      {hasList ? (
        <FileList
          side={{ receive: id }}
          isMoving={phase === 'receiving' || phase === 'finishing'}
          canChoose
        />
      ) : (
        <>
          <div className="sep" />
          <h3 className="label list-label">{text.receive.contents}</h3>
          <ItemList items={items} most={itemsShown} isWide />
        </>
      )}
      <ConnectionDetails
        id={id}
        route={isLost ? null : route}
        statistics={receive.statistics ?? null}
        side="receiver"
      />
      {safety !== null && <SafetyNumbers of={[{ id, name: from, safety }]} />}
    </article>
  )
}

type FiguresProps = {
  readonly progress: Progress | null
  readonly nowMs: number
  /** When false, neither speed nor remaining time is shown. */
  readonly isMoving: boolean
}

function Figures({ progress, nowMs, isMoving }: FiguresProps) {
  const moving = isMoving ? progress : null
  const { unknown, ...names } = text.receive.figures
  const figures = [
    progress === null
      ? [names.received, unknown]
      : [
          names.receivedOf(formatBytes(progress.totalBytes)),
          formatPercent(progress.bytes, progress.totalBytes),
        ],
    [names.speed, (moving && speed(moving, nowMs)) ?? unknown],
    progress === null
      ? [names.filesSaved, unknown]
      : [names.filesSavedOf(progress.totalFiles), formatCount(progress.files)],
    [names.left, (moving && timeLeft(moving, nowMs)) ?? unknown],
  ] as const
  return (
    <dl className="figures">
      {figures.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>
            <Figure value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Numbers are large and their units small: `118 MB/s`, `3 min 20 s`. */
const Figure = ({ value }: { readonly value: string }) =>
  value
    .split(/(\s*[\p{L}/]+)/u)
    .map((part, index) => (index % 2 === 1 ? <small key={index}>{part}</small> : part))
