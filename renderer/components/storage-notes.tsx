import { FolderOpen, HardDrive } from 'lucide-react'
import { visibleText } from '#shared/format/visible-text'
import { storageNote } from '#shared/labels'
import type { StorageTrouble } from '#shared/state/app-state'
import { showStorage } from '../actions/actions'
import { useAppStore } from '../store/app-store'
import { text } from '../text'
import { Button } from './button'
import { Icon } from './icon'

/** Files of the app that can't be used, or only in part, and the reasons; everything else works. */
export function StorageNotes() {
  const troubles = useAppStore(({ state }) => state?.storage)
  return troubles?.map((trouble) => <StorageNote key={trouble.file} trouble={trouble} />)
}

/** People can repair the files that they edit, so the note describes the error. */
const isEdited = ({ kind }: StorageTrouble): boolean =>
  kind === 'malformed' || kind === 'bad-values'

function StorageNote({ trouble }: { readonly trouble: StorageTrouble }) {
  const { file, detail } = trouble
  return (
    <div className="notice" role="status" title={detail}>
      <Icon of={HardDrive} size={18} />
      <div className="grow">
        <p>{storageNote(trouble)}</p>
        {isEdited(trouble) && detail !== '' && <p className="sub">{visibleText(detail)}</p>}
      </div>
      <Button
        size="small"
        icon={FolderOpen}
        onClick={() => {
          void showStorage(file)
        }}
      >
        {text.actions.showFile}
      </Button>
    </div>
  )
}
