import { Undo2 } from 'lucide-react'
import { undo } from '../actions/undo-actions'
import { text } from '../text'
import { Button } from './button'

/** Undoes an end or a removal that is still to come. */
export const UndoButton = () => (
  <Button size="small" icon={Undo2} onClick={() => void undo()}>
    {text.actions.undo}
  </Button>
)
