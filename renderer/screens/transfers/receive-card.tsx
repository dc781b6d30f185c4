import { FolderOpen } from 'lucide-react'
import { Fragment } from 'react'
import type { Progress, Receive } from '#shared/app-state'
import { formatBytesOf, formatPercent } from '#shared/format'
import { cancelReceive, pauseReceive, showFolder } from '../../actions'
import { Avatar } from '../../components/avatar'
import { Button, IconButton } from '../../components/button'
import { ItemList } from '../../components/item-list'
import { MappedNames } from '../../components/mapped-names'
import { PauseButton, spacePauses } from '../../components/pause-button'
import { Bar } from '../../components/progress'
import { RouteBadge } from '../../components/route-badge'
import { SafetyNumbers } from '../../components/safety-numbers'
import { SentenceLine } from '../../components/sentence-line'
import { text } from '../../text/en'
import { useNow } from '../../use-now'
import { canPause, receiveSentence } from '../../view/receive-view'
import { barTone, fraction, speed, stallSentence, timeLeft } from '../../view/sentence'
import { KeepBadge, KeepButton } from '../contacts/keep-button'
import { FoldButton } from './fold-button'
import { ReceivedTexts } from './received-texts'

/** More than this is a list to scroll, and the card is no place for that. */
const itemsShown = 12

/** A receive that runs: four figures, one bar, what comes. */
export function ReceiveCard({ receive }: { readonly receive: Receive }) {
  const { id, phase, from, title, directory, route, flow, stall, progress, items } = receive
  const { safety, keeping } = receive
  const nowMs = useNow(true)
  const { lead, tone, rest } = receiveSentence(receive, nowMs)
  const isLost = phase === 'reconnecting'
  // The figures stand above already; what holds them up does not.
  const why = isLost ? rest[0] : stallSentence(receive)
  const paused = flow.kind === 'paused'
  const pause = (): void => {
    void pauseReceive(id, !paused)
  }
  return (
    <article className="card" aria-label={title} {...(canPause(receive) && spacePauses(pause))}>
      <header className="card-head tight">
        <Avatar name={from} size="medium" />
        <div className="grow">
          <h2 className="title trunc">{title}</h2>
          <p className="sub trunc">{text.receive.fromTo(from, directory ?? '')}</p>
        </div>
        <KeepBadge keeping={keeping} />
        {route && <RouteBadge route={route} />}
        <KeepButton isIcon side={{ receive: id }} name={from} keeping={keeping} />
        {canPause(receive) && <PauseButton paused={paused} onPause={pause} />}
        <Button look="ghost" onClick={() => void cancelReceive(id)}>
          {text.receive.cancel}
        </Button>
        <IconButton
          name={text.result.showFolder}
          icon={FolderOpen}
          onClick={() => void showFolder(id)}
        />
        <FoldButton id={id} isOpen />
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
      <MappedNames title={text.result.mapped} of={receive} />
      <div className="sep" />
      <h3 className="label list-label">{text.receive.contents}</h3>
      <ItemList items={items} most={itemsShown} isWide />
      {safety !== null && <SafetyNumbers of={[{ id, name: from, safety }]} />}
    </article>
  )
}

type FiguresProps = {
  readonly progress: Progress | null
  readonly nowMs: number
  /** Else there is neither a speed nor a time left. */
  readonly isMoving: boolean
}

function Figures({ progress, nowMs, isMoving }: FiguresProps) {
  const unknown = text.receive.unknown
  const figures = [
    [
      text.receive.received,
      progress === null ? unknown : formatPercent(progress.bytes, progress.totalBytes),
    ],
    [text.receive.now, (isMoving && progress ? speed(progress, nowMs) : null) ?? unknown],
    [
      text.receive.safe,
      progress === null ? unknown : formatBytesOf(progress.bytes, progress.totalBytes),
    ],
    [text.receive.left, (isMoving && progress ? timeLeft(progress, nowMs) : null) ?? unknown],
  ] as const
  return (
    <dl className="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Figure value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Numbers are large, what they count is small: `62 %`, `38.4 of 61.9 GB`, `3 min 20 s`. */
function Figure({ value }: { readonly value: string }) {
  const [first, ...rest] = value.split(' ')
  const isTime = rest.length === 3 && rest[0] !== 'of'
  return (
    <>
      {first} <small>{isTime ? rest[0] : rest.join(' ')}</small>
      {isTime && (
        <Fragment>
          {' '}
          {rest[1]} <small>{rest[2]}</small>
        </Fragment>
      )}
    </>
  )
}
