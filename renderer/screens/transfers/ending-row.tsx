import { Ban } from 'lucide-react'
import { Icon } from '../../components/icon'
import { UndoButton } from '../../components/undo-button'
import { sentence } from '../../view/sentence'
import { TransferRow } from './transfer-row'

/** A transfer that ends in a few seconds, unless the person undoes it. */
export const EndingRow = ({ title, words }: { readonly title: string; readonly words: string }) => (
  <TransferRow
    tile={
      <span className="tile">
        <Icon of={Ban} size={20} />
      </span>
    }
    title={title}
    sentence={sentence(words, 'plain')}
  >
    <UndoButton />
  </TransferRow>
)
