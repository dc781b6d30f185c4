import { Play, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { Unfinished } from '#shared/app-state'
import { forgetPartial } from '../../actions'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { resumeReceive } from '../../resume-actions'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { interrupted } from '../../view/receive-view'
import { sentence } from '../../view/sentence'
import { TransferRow } from './transfer-row'

/** Receives that earlier runs of the app have left unfinished. */
export function Interrupted() {
  const entries = useAppStore(useShallow(({ state }) => (state === null ? [] : interrupted(state))))
  if (entries.length === 0) return null
  return (
    <section className="stack interrupted" aria-label={text.interrupted.title}>
      <header>
        <h2 className="title">{text.interrupted.title}</h2>
        <p className="sub">{text.interrupted.about}</p>
      </header>
      {entries.map((entry) => (
        <InterruptedRow key={entry.transfer} entry={entry} />
      ))}
    </section>
  )
}

function InterruptedRow({ entry }: { readonly entry: Unfinished }) {
  const { transfer, title, from, bytes, totalBytes, hasResumeKey } = entry
  const [isAsking, setIsAsking] = useState(false)
  const received = text.progress.received({ bytes, totalBytes })
  return (
    <TransferRow
      tile={
        <span className="tile warning">
          <Icon of={RotateCw} size={20} />
        </span>
      }
      title={title}
      who={text.receive.from(from)}
      sentence={
        isAsking
          ? sentence(text.interrupted.deleteQuestion(bytes), 'danger')
          : sentence(
              '',
              'plain',
              hasResumeKey ? [received] : [received, text.interrupted.needsCode],
            )
      }
    >
      {isAsking ? (
        <>
          <Button size="small" onClick={() => void forgetPartial(transfer)}>
            {text.actions.delete}
          </Button>
          <Button
            variant="ghost"
            size="small"
            onClick={() => {
              setIsAsking(false)
            }}
          >
            {text.actions.cancel}
          </Button>
        </>
      ) : (
        <>
          <Button
            size="small"
            icon={Play}
            onClick={() => {
              void resumeReceive(transfer)
            }}
          >
            {hasResumeKey ? text.actions.resume : text.interrupted.enterCode}
          </Button>
          <Button
            variant="ghost"
            size="small"
            onClick={() => {
              setIsAsking(true)
            }}
          >
            {text.interrupted.deletePartial}
          </Button>
        </>
      )}
    </TransferRow>
  )
}
