import { QrCode as QrIcon } from 'lucide-react'
import { makeJoinLink, makePageLink, makeWebLink, serverForLink } from '#shared/code/join-link'
import { serverName } from '#shared/signaling/server-url'
import type { Share } from '#shared/state/app-state'
import { useAppStore } from '../store/app-store'
import { text } from '../text'
import { Button, IconButton } from './button'
import { CopyButton } from './copy-button'
import { later } from './later'
import { Popover } from './popover'
import { useCopied } from './use-copied'

const QrCode = later(async () => (await import('./qr-code')).QrCode)

type Props = {
  readonly code: string
  /** The server of the code, as the link names it. */
  readonly server: Share['server']
  /** An icon alone, for narrow rows. */
  readonly isIcon?: boolean
}

/** The share's join link: as a QR code to scan, and to copy into a chat. */
export const JoinLink = ({ code, server, isIcon = false }: Props) => (
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
    {() => <JoinLinkPanel code={code} server={server} />}
  </Popover>
)

function JoinLinkPanel({ code, server: given }: Pick<Props, 'code' | 'server'>) {
  const [copyState, copy] = useCopied()
  const [webState, copyWeb] = useCopied()
  const [pageState, copyPage] = useCopied()
  const network = useAppStore(({ state }) => state?.localNetwork)
  const server = network === undefined ? given : serverForLink(given, network)
  const link = makeJoinLink({ code, server })
  const webLink = makeWebLink({ code, server })
  const pageLink = network === undefined ? null : makePageLink(code, network)
  const { picture, about, aboutServer, aboutPage } = text.joinLink
  return (
    <div className="join-link">
      <QrCode of={pageLink ?? link} name={picture} />
      {pageLink !== null && <p>{aboutPage}</p>}
      {pageLink === null && <p>{server === null ? about : aboutServer(serverName(server))}</p>}
      <CopyButton state={copyState} words={text.joinLink.copy} onClick={() => copy(link)} />
      {webLink !== null && (
        <CopyButton
          state={webState}
          words={text.joinLink.copyWeb}
          onClick={() => copyWeb(webLink)}
        />
      )}
      {pageLink !== null && (
        <CopyButton
          state={pageState}
          words={text.joinLink.copyPage}
          onClick={() => copyPage(pageLink)}
        />
      )}
    </div>
  )
}
