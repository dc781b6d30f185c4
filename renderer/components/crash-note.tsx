import { RotateCw, X } from 'lucide-react'
import { closeCrashNote } from '../actions/shortcut-actions'
import { bridge } from '../bridge'
import { useUiStore } from '../store/ui-store'
import { text } from '../text'
import { Button, IconButton } from './button'
import { Icon } from './icon'

/** A note shown at the start after a crash, until it is closed. */
export function CrashNote() {
  const isShown = useUiStore((ui) => ui.crashed)
  if (!isShown) return null
  return (
    <div className="notice" role="status">
      <Icon of={RotateCw} size={18} />
      <p className="grow">{text.fatalError.crashed}</p>
      <Button variant="ghost" size="small" onClick={() => void bridge.copyReport(undefined)}>
        {text.fatalError.copyReport}
      </Button>
      <IconButton name={text.actions.close} icon={X} size="small" onClick={closeCrashNote} />
    </div>
  )
}
