import { RotateCw } from 'lucide-react'
import { useShallow } from 'zustand/react/shallow'
import type { ResumableReceive } from '#shared/state/app-state'
import { resumeReceive } from '../../actions/resume-actions'
import { Icon } from '../../components/icon'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { interrupted } from '../../view/receive-view'
import { sentence } from '../../view/sentence'
import { PartialRow } from './partial-row'

/** Receives that earlier runs of the app left unfinished. */
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

function InterruptedRow({ entry }: { readonly entry: ResumableReceive }) {
  const { transfer, title, from, bytes, totalBytes, hasResumeKey } = entry
  const received = text.progress.received({ bytes, totalBytes })
  return (
    <PartialRow
      entry={entry}
      tile={
        <span className="tile warning">
          <Icon of={RotateCw} size={20} />
        </span>
      }
      title={title}
      from={from}
      sentence={sentence(
        '',
        'plain',
        hasResumeKey ? [received] : [received, text.interrupted.needsCode],
      )}
      resumeWords={hasResumeKey ? text.actions.resume : text.interrupted.enterCode}
      onResume={() => void resumeReceive(transfer)}
    />
  )
}
