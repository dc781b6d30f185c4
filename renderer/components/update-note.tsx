import { Sparkles, X } from 'lucide-react'
import { closeUpdateNote, showNews } from '../actions/update-actions'
import { useUiStore } from '../store/ui-store'
import { text } from '../text'
import { Button, IconButton } from './button'
import { Icon } from './icon'

/** A note shown at the first start of a new version, until it is closed. */
export function UpdateNote() {
  const version = useUiStore((ui) => ui.updated)
  if (version === null) return null
  return (
    <div className="notice calm" role="status">
      <Icon of={Sparkles} size={18} />
      <p className="grow">{text.updates.updated(version)}</p>
      <Button variant="ghost" size="small" onClick={showNews}>
        {text.updates.showNews}
      </Button>
      <IconButton name={text.actions.close} icon={X} size="small" onClick={closeUpdateNote} />
    </div>
  )
}
