import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { Share } from '#shared/app-state'
import { limits } from '#shared/limits'
import { IconButton } from '../../components/button'
import { NumberField } from '../../components/number-field'
import { Popover } from '../../components/popover'
import { Tick } from '../../components/tick'
import { setMaxReceivers } from '../../share-actions'
import { text } from '../../text'

/** How many people may receive, and whether new ones may join. */
export function ShareMenu({ share: { id, maxReceivers } }: { readonly share: Share }) {
  const isOpenToNew = maxReceivers > 0
  // The limit to return to when new receivers are accepted again.
  const [most, setMost] = useState(isOpenToNew ? maxReceivers : limits.receiversPerShare)
  return (
    <Popover
      name={text.share.more}
      trigger={({ onClick, expanded }) => (
        <IconButton name={text.share.more} icon={Ellipsis} expanded={expanded} onClick={onClick} />
      )}
    >
      {() => (
        <div className="settings">
          <Tick
            state={isOpenToNew}
            onToggle={() => {
              void setMaxReceivers(id, isOpenToNew ? 0 : most)
            }}
          >
            {text.share.acceptNew}
          </Tick>
          <p className="sub">{text.share.acceptNewAbout}</p>
          {isOpenToNew && (
            <label className="setting">
              {text.share.maxReceivers}
              <NumberField
                value={most}
                least={1}
                most={limits.mostReceiversPerShare}
                onChange={(count) => {
                  setMost(count)
                  void setMaxReceivers(id, count)
                }}
              />
            </label>
          )}
        </div>
      )}
    </Popover>
  )
}
