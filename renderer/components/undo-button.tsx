import { Undo2 } from 'lucide-react'
import { text } from '../text'
import { undo } from '../undo-actions'
import { Button } from './button'

/** Takes back what ends or is removed in some seconds. */
export const UndoButton = () => (
  <Button size="small" icon={Undo2} onClick={() => void undo()}>
    {text.actions.undo}
  </Button>
)
