import { QrCode as QrIcon } from 'lucide-react'
import { makeJoinLink } from '#shared/join-link'
import { text } from '../text'
import { Button, IconButton } from './button'
import { CopyButton } from './copy-button'
import { Popover } from './popover'
import { QrCode } from './qr-code'
import { useCopied } from './use-copied'

type Props = {
  readonly code: string
  /** A drawing alone where a row is short of room. */
  readonly isIcon?: boolean
}

/** The share's join link: as a QR code to scan, and to copy into a chat. */
export const JoinLink = ({ code, isIcon = false }: Props) => (
  <Popover
    name={text.joinLink.title}
    trigger={(trigger) =>
      isIcon ? (
        <IconButton {...trigger} icon={QrIcon} name={text.joinLink.open} />
      ) : (
        <Button {...trigger} icon={QrIcon}>
          {text.joinLink.open}
        </Button>
      )
    }
  >
    {() => <JoinLinkPanel link={makeJoinLink(code)} />}
  </Popover>
)

function JoinLinkPanel({ link }: { readonly link: string }) {
  const [copyState, copy] = useCopied()
  return (
    <div className="join-link">
      <QrCode of={link} name={text.joinLink.picture} />
      <p>{text.joinLink.about}</p>
      <CopyButton state={copyState} words={text.joinLink.copy} onClick={() => copy(link)} />
    </div>
  )
}
