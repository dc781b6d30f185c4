import { Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ResumableReceive } from '#shared/state/app-state'
import { deletePartial } from '../../actions/actions'
import { Button } from '../../components/button'
import { text } from '../../text'
import { type Sentence, sentence } from '../../view/sentence'
import { TransferRow } from './transfer-row'

type Props = {
  readonly entry: ResumableReceive
  readonly tile: ReactNode
  readonly title: string
  readonly from: string
  /** Shown while no question is open. */
  readonly sentence: Sentence
  readonly resumeWords: string
  readonly onResume: () => void
  /** Called when the partial files are deleted. */
  readonly onDeleted?: () => void
  /** Further buttons. */
  readonly children?: ReactNode
}

/** A receive with partial files, and buttons to resume it, and to delete them after a question. */
export function PartialRow({ entry, onResume, onDeleted, children, from, ...row }: Props) {
  const { transfer, bytes } = entry
  const [isAsking, setIsAsking] = useState(false)
  const confirmDelete = async (): Promise<void> => {
    await deletePartial(transfer)
    onDeleted?.()
  }
  return (
    <TransferRow
      tile={row.tile}
      title={row.title}
      who={text.receive.from(from)}
      sentence={
        isAsking ? sentence(text.interrupted.deleteQuestion(bytes), 'danger') : row.sentence
      }
    >
      {isAsking ? (
        <>
          <Button size="small" onClick={() => void confirmDelete()}>
            {text.actions.delete}
          </Button>
          <Button variant="ghost" size="small" onClick={() => setIsAsking(false)}>
            {text.actions.cancel}
          </Button>
        </>
      ) : (
        <>
          <Button size="small" icon={Play} onClick={onResume}>
            {row.resumeWords}
          </Button>
          <Button variant="ghost" size="small" onClick={() => setIsAsking(true)}>
            {text.interrupted.deletePartial}
          </Button>
          {children}
        </>
      )}
    </TransferRow>
  )
}
