import * as Dialog from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'
import { text } from '../text'
import { Button } from './button'

type Props = {
  readonly title: string
  /** Additional class of the sheet. */
  readonly className: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A sheet over the window for reading only, closed by its button or Esc. */
export function Sheet({ title, className, isOpen, onClose, children }: Props) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={onClose}>
      <Dialog.Portal>
        <div className="scrim">
          <Dialog.Content className={`sheet ${className}`} aria-describedby={undefined}>
            <header className="sheet-head">
              <Dialog.Title className="title large grow">{title}</Dialog.Title>
              <Button variant="ghost" hint={text.keys.escape} onClick={onClose}>
                {text.actions.close}
              </Button>
            </header>
            {children}
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
