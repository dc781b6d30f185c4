import * as Dialog from '@radix-ui/react-dialog'
import { Copy } from 'lucide-react'
import { useRef } from 'react'
import { formatBytes } from '#shared/format/format'
import type { Receive } from '#shared/state/app-state'
import { acceptText, answerLater } from '../../actions/actions'
import { Avatar } from '../../components/avatar'
import { Button } from '../../components/button'
import { text } from '../../text'
import { verifiedBy } from '../../view/receive-view'
import { OfferButtons } from './offer-buttons'

/** An offer of texts alone: nothing is saved, so there is nothing to choose. */
export function TextOffer({ receive }: { readonly receive: Receive }) {
  const { id, from, items, totals } = receive
  const show = useRef<HTMLButtonElement>(null)
  return (
    <Dialog.Content
      className="sheet narrow text-offer"
      onEscapeKeyDown={() => answerLater(id)}
      onInteractOutside={(event) => event.preventDefault()}
      onOpenAutoFocus={(event) => {
        event.preventDefault()
        show.current?.focus()
      }}
    >
      <header className="sheet-head">
        <Avatar name={from} size="large" />
        <div className="grow">
          <Dialog.Title className="title large two-lines">
            {text.preview.titleOfText({ name: from, texts: items.length })}
          </Dialog.Title>
          <Dialog.Description className="sub trunc">
            {[formatBytes(totals?.bytes ?? 0), verifiedBy(receive)].join(text.separator)}
          </Dialog.Description>
        </div>
      </header>
      <footer className="sheet-foot">
        <span className="grow" />
        <OfferButtons receive={id} />
        {items.length === 1 && (
          <Button icon={Copy} onClick={() => void acceptText(id, 'copied')}>
            {text.actions.copy}
          </Button>
        )}
        <Button
          ref={show}
          variant="primary"
          hint={text.keys.enter}
          onClick={() => void acceptText(id, 'shown')}
        >
          {text.preview.show}
        </Button>
      </footer>
    </Dialog.Content>
  )
}
