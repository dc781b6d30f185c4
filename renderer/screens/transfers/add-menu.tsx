import { Files, Folder, Plus, Type } from 'lucide-react'
import type { ShareId } from '#shared/state/app-state'
import { pickAndAdd, writeText } from '../../actions/share-actions'
import { Button } from '../../components/button'
import { Popover } from '../../components/popover'
import { text } from '../../text'

const kinds = [
  {
    words: text.share.addFiles,
    icon: Files,
    add: (share: ShareId) => void pickAndAdd(share, 'files'),
  },
  {
    words: text.share.addFolder,
    icon: Folder,
    add: (share: ShareId) => void pickAndAdd(share, 'folder'),
  },
  { words: text.share.addText, icon: Type, add: writeText },
] as const

/** Adds items to a running share. */
export const AddMenu = ({ share }: { readonly share: ShareId }) => (
  <Popover
    name={text.share.add}
    trigger={(props) => (
      <Button icon={Plus} {...props}>
        {text.share.add}
      </Button>
    )}
  >
    {(close) => (
      <div className="menu">
        {kinds.map(({ words, icon, add }) => (
          <Button
            key={words}
            variant="ghost"
            icon={icon}
            onClick={() => {
              close()
              add(share)
            }}
          >
            {words}
          </Button>
        ))}
      </div>
    )}
  </Popover>
)
