import { QrCode as QrIcon } from 'lucide-react'
import {
  linkToScan,
  makeJoinLink,
  makePageLink,
  makeWebLink,
  serverForLink,
  webPageOf,
} from '#shared/code/join-link'
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
  readonly share: Pick<Share, 'server' | 'web' | 'noBrowsers'>
  /** An icon alone, for narrow rows. */
  readonly isIcon?: boolean
}

/** The share's join link: as a QR code to scan, and to copy into a chat. */
export const JoinLink = ({ code, share, isIcon = false }: Props) => (
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
    {() => <JoinLinkPanel code={code} share={share} />}
  </Popover>
)

function JoinLinkPanel({ code, share }: Pick<Props, 'code' | 'share'>) {
  const [copyState, copy] = useCopied()
  const [webState, copyWeb] = useCopied()
  const [pageState, copyPage] = useCopied()
  const network = useAppStore(({ state }) => state?.localNetwork) ?? { phase: 'idle' }
  const linked = { ...share, code }
  const server = serverForLink(share.server, network)
  const link = makeJoinLink({ code, server })
  const webLink = makeWebLink({ code, server })
  const pageLink = makePageLink(linked, network)
  const isWeb = webPageOf(linked) !== null
  const scanned = linkToScan(linked, network) ?? link
  const { picture, about, aboutServer, aboutWeb, aboutPage } = text.joinLink
  const name = server === null ? null : serverName(server)
  return (
    <div className="join-link">
      <QrCode of={scanned} name={picture} />
      {isWeb && name !== null && <p>{aboutWeb(name)}</p>}
      {!isWeb && pageLink !== null && <p>{aboutPage}</p>}
      {!isWeb && pageLink === null && <p>{name === null ? about : aboutServer(name)}</p>}
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
