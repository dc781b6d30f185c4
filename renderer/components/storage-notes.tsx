import { FolderOpen, HardDrive } from 'lucide-react'
import { visibleText } from '#shared/format/visible-text'
import { storageNote } from '#shared/labels'
import type { StorageError } from '#shared/state/storage-error'
import { showStorage } from '../actions/actions'
import { useAppStore } from '../store/app-store'
import { text } from '../text'
import { Button } from './button'
import { Icon } from './icon'

/** Files of the app that can't be used, or only in part, and the reasons; everything else works. */
export function StorageNotes() {
  const errors = useAppStore(({ state }) => state?.storage)
  return errors?.map((error) => <StorageNote key={error.file} error={error} />)
}

/** People can repair the files that they edit, so the note describes the error. */
const isEdited = ({ kind }: StorageError): boolean => kind === 'malformed' || kind === 'bad-values'

function StorageNote({ error }: { readonly error: StorageError }) {
  const { file, detail } = error
  return (
    <div className="notice" role="status" title={detail}>
      <Icon of={HardDrive} size={18} />
      <div className="grow">
        <p>{storageNote(error)}</p>
        {isEdited(error) && detail !== '' && <p className="sub">{visibleText(detail)}</p>}
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
