import { HardDrive } from 'lucide-react'
import { storageNote } from '#shared/labels'
import { useAppStore } from '../store/app-store'
import { Icon } from './icon'

/** Files whose changes can't be saved, and why; everything else works. */
export function StorageNotes() {
  const troubles = useAppStore(({ state }) => state?.storage)
  return troubles?.map((trouble) => (
    <div key={trouble.file} className="notice" role="status" title={trouble.detail}>
      <Icon of={HardDrive} size={18} />
      <p className="grow">{storageNote(trouble)}</p>
    </div>
  ))
}
