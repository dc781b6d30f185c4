import { limits } from '#shared/limits'
import { Button } from '../../components/button'
import { text } from '../../text'
import { actionsFor, type FileAction, type FileSelection } from './use-file-selection'

const actions: readonly FileAction[] = ['first', 'skip', 'want']

/** The actions for the chosen files, once there are any. */
export function SelectionBar({ selection }: { readonly selection: FileSelection }) {
  const { chosen, isFull, clear, actOnChosen } = selection
  if (chosen.size === 0) return null
  const possible = new Set([...chosen.values()].flatMap(actionsFor))
  return (
    <div className="files-chosen" role="toolbar" aria-label={text.files.selected(chosen.size)}>
      <span className="grow" role="status">
        {isFull ? text.files.maxSelected(limits.patterns) : text.files.selected(chosen.size)}
      </span>
      {actions
        .filter((action) => possible.has(action))
        .map((action) => (
          <Button key={action} size="small" onClick={() => void actOnChosen(action)}>
            {text.files[action]}
          </Button>
        ))}
      <Button size="small" variant="ghost" onClick={clear}>
        {text.files.clear}
      </Button>
    </div>
  )
}
