import { Check, ExternalLink, FolderOpen, X } from 'lucide-react'
import type { DragEvent } from 'react'
import { describeMissing } from '#shared/describe-peer'
import { formatBytes, formatBytesOf, formatCount } from '#shared/format/format'
import { endNotes, isNothingNew, isWhole, receivedOf, receiveLabel } from '#shared/labels'
import { isSafeToOpen } from '#shared/safe-to-open'
import {
  hasOnlyTexts,
  type Receive,
  type ReceiveId,
  type TransferOutcome,
} from '#shared/state/app-state'
import { dismiss, dragReceived, showFolder, viewReceived } from '../../actions/actions'
import { Button, IconButton } from '../../components/button'
import { Facts } from '../../components/facts'
import { later } from '../../components/later'
import { LeftOutList } from '../../components/left-out-list'
import { MappedNames } from '../../components/mapped-names'
import { text } from '../../text'
import { routeWord } from '../../view/network-view'
import { amountIn, averageSpeed, endTone, took } from '../../view/sentence'
import { AddContactButton, ContactBadge } from '../contacts/add-contact'
import { ExpandButton } from './expand-button'
import { ProblemList } from './problem-list'

const ReceivedTexts = later(async () => (await import('./received-texts')).ReceivedTexts)

/** The result of a receive: files that were verified, already existed, or are missing, with the reasons. */
export function ResultCard({ receive }: { readonly receive: Receive }) {
  const { id, title, from, items, outcome, problems, leftOut, contactRequest } = receive
  if (outcome === null) return null
  const isComplete = outcome.problems === 0
  const notes = endNotes(outcome, 'receiver')
  const isWritten = !hasOnlyTexts(items)
  const [only, ...others] = items
  const canTake = isWritten && only !== undefined && others.length === 0
  return (
    <article className="card" aria-label={title}>
      <header className="result-head">
        <span className={`disc ${endTone(outcome)}`} {...(canTake && dragsOut(id))}>
          <Check aria-hidden />
        </span>
        <div className="grow">
          <h2 className="title large">
            {isComplete && !isNothingNew(outcome)
              ? [receiveLabel(receive), amountIn(outcome)].join(text.separator)
              : receiveLabel(receive)}
          </h2>
          <p className="sub trunc">
            {isComplete ? checkedSentence(receive, outcome) : partlySentence(receive, outcome)}
          </p>
          {notes.length > 0 && <p className="sub">{notes.join(text.separator)}</p>}
        </div>
        <ContactBadge contactRequest={contactRequest} />
        <AddContactButton side={{ receive: id }} name={from} contactRequest={contactRequest} />
        {canTake && only.kind === 'file' && isSafeToOpen(only.name) && (
          <Button icon={ExternalLink} onClick={() => void viewReceived(id)}>
            {text.actions.open}
          </Button>
        )}
        {isWritten && (
          <Button variant="primary" icon={FolderOpen} onClick={() => void showFolder(id)}>
            {text.actions.showFolder}
          </Button>
        )}
        <ExpandButton id={id} isOpen />
        <IconButton name={text.actions.close} icon={X} onClick={() => void dismiss(id)} />
      </header>
      <ReceivedTexts receive={receive} />
      {!isComplete && <ProblemList problems={problems} describe={describeMissing} />}
      <LeftOutList leftOut={leftOut} />
      <MappedNames title={text.result.changedNames} of={receive} />
      {isWritten && (
        <Facts facts={isComplete ? completeFacts(receive, outcome) : partFacts(receive, outcome)} />
      )}
    </article>
  )
}

/** Lets people drag the received file or folder out of the window. */
const dragsOut = (id: ReceiveId) => ({
  draggable: true,
  title: text.result.dragOut,
  onDragStart: (event: DragEvent) => {
    event.preventDefault()
    void dragReceived(id)
  },
})

function checkedSentence({ title, from, items }: Receive, outcome: TransferOutcome): string {
  const source = { title, name: from }
  if (isNothingNew(outcome)) return text.result.from(source)
  if (hasOnlyTexts(items)) return text.result.checkedText(source)
  const words = isWhole(outcome) ? text.result.whole : text.result.part
  return outcome.readBack ? words.readBack(source) : words.checked(source)
}

const partlySentence = ({ totals }: Receive, outcome: TransferOutcome): string => {
  const { files } = receivedOf(outcome)
  return text.result.partly({ files, totalFiles: totals?.files ?? files })
}

const filesWords = (outcome: TransferOutcome): string => {
  const { files } = receivedOf(outcome)
  const { renamed } = outcome
  return renamed === 0 ? formatCount(files) : text.result.filesRenamed({ files, renamed })
}

const speedFact = ({ resumedBytes }: Receive, outcome: TransferOutcome) => {
  const value = averageSpeed(outcome, resumedBytes)
  return value === null ? [] : [{ name: text.result.averageSpeed, value }]
}

const completeFacts = (receive: Receive, outcome: TransferOutcome) => [
  ...speedFact(receive, outcome),
  ...(isNothingNew(outcome) ? [] : [{ name: text.result.files, value: filesWords(outcome) }]),
  { name: text.result.route, value: receive.route === null ? '' : routeWord(receive.route) },
  { name: text.result.savedTo, value: receive.directory ?? '', isPath: true as const },
]

const partFacts = (receive: Receive, outcome: TransferOutcome) => {
  const { directory, totals } = receive
  const { bytes } = receivedOf(outcome)
  return [
    {
      name: text.result.received,
      value: totals === null ? formatBytes(bytes) : formatBytesOf(bytes, totals.bytes),
    },
    { name: text.result.time, value: took(outcome) },
    ...speedFact(receive, outcome),
    { name: text.result.savedTo, value: directory ?? '', isPath: true as const },
  ]
}
