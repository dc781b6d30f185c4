import { Undo2 } from 'lucide-react'
import { undo } from '../actions/undo-actions'
import { text } from '../text'
import { Button } from './button'

/** Undoes a delayed end or removal. */
export const UndoButton = () => (
  <Button size="small" icon={Undo2} onClick={() => void undo()}>
    {text.actions.undo}
  </Button>
)
