import { ChevronDown, ChevronUp } from 'lucide-react'
import type { ReceiveId, ShareId } from '#shared/state/app-state'
import { toggleOpen } from '../../actions/actions'
import { IconButton } from '../../components/button'
import { text } from '../../text'

type Props = { readonly id: ShareId | ReceiveId; readonly isOpen: boolean }

/** Opens a row as a card and closes it again. */
export const ExpandButton = ({ id, isOpen }: Props) => (
  <IconButton
    // The same id in row and card, so that the button keeps the focus.
    id={`expand-${id}`}
    name={isOpen ? text.actions.collapse : text.actions.expand}
    icon={isOpen ? ChevronUp : ChevronDown}
    expanded={isOpen}
    onClick={() => toggleOpen(id, isOpen)}
  />
)
