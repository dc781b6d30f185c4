import * as Dialog from '@radix-ui/react-dialog'
import { Folder } from 'lucide-react'
import { useRef } from 'react'
import type { Receive } from '#shared/app-state'
import { acceptOffer, declineOffer, chooseDirectory } from '../../actions'
import { Avatar } from '../../components/avatar'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { ItemList } from '../../components/item-list'
import { RouteBadge } from '../../components/route-badge'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text/en'
import { offered } from '../../view/receive-view'

/** What somebody offers, and the two answers to it. Opens by itself when an offer is here. */
export function PreviewSheet() {
  const receive = useAppStore(({ state }) => (state === null ? null : offered(state)))
  return (
    <Dialog.Root open={receive !== null}>
      <Dialog.Portal>
        {/* Radix's own overlay writes a style element, which our content policy forbids. */}
        <div className="scrim">{receive && <Sheet key={receive.id} receive={receive} />}</div>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Sheet({ receive }: { readonly receive: Receive }) {
  const { id, from, title, items, totals, route } = receive
  const accept = useRef<HTMLButtonElement>(null)
  const decline = (): void => {
    void declineOffer(id)
  }
  return (
    <Dialog.Content
      className="sheet"
      onEscapeKeyDown={decline}
      onInteractOutside={(event) => {
        event.preventDefault()
      }}
      onOpenAutoFocus={(event) => {
        event.preventDefault()
        accept.current?.focus()
      }}
    >
      <header className="sheet-head">
        <Avatar name={from} size="large" />
        <div className="grow">
          <Dialog.Title className="title large two-lines">
            {text.preview.title(from, totals?.files ?? 0)}
          </Dialog.Title>
          <Dialog.Description className="sub trunc">
            {text.preview.about(title, totals?.bytes ?? 0)}
          </Dialog.Description>
        </div>
        {route && <RouteBadge route={route} />}
      </header>
      <div className="sheet-body">
        <section className="sheet-list">
          <h3 className="label">{text.preview.contents}</h3>
          <ItemList items={items} isWide />
        </section>
        <Destination receive={receive} />
      </div>
      <footer className="sheet-foot">
        <p className="grow sub">{text.preview.nothingYet}</p>
        <Button look="ghost" hint={text.keys.escape} onClick={decline}>
          {text.preview.decline}
        </Button>
        <Button
          ref={accept}
          look="primary"
          size="large"
          hint={text.keys.enter}
          onClick={() => {
            void acceptOffer(id)
          }}
        >
          {text.preview.receive(totals?.bytes ?? 0)}
        </Button>
      </footer>
    </Dialog.Content>
  )
}

function Destination({ receive: { id } }: { readonly receive: Receive }) {
  const downloads = useAppStore(({ state }) => state?.downloads ?? '')
  const directory = useUiStore(({ directories }) => directories[id]) ?? downloads
  return (
    <section className="sheet-side">
      <h3 className="label">{text.preview.saveTo}</h3>
      <div className="destination">
        <div className="field">
          <Icon of={Folder} />
          <span className="trunc" title={directory}>
            {directory}
          </span>
        </div>
        <Button
          onClick={() => {
            void chooseDirectory(id)
          }}
        >
          {text.preview.change}
        </Button>
      </div>
      <p className="sub">{text.preview.keepsExisting}</p>
    </section>
  )
}
