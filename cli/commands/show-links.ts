/** Draws and copies the links of codes. */
import type { Client } from '#client/client'
import { linkOfShare, linkToScan, webPageOf } from '#shared/code/join-link'
import type { ToOptions } from '../options/flags'
import { qrLines } from '../report/qr-text'
import { copied, copiers, copySequence } from '../terminal/clipboard'
import { sendSequence, type Terminal } from '../terminal/terminal'
import { text } from '../text'

/** The ways in which a command shows the link of its code. */
export type LinkOptions = Pick<ToOptions, 'qr' | 'copy'> & {
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Shows the links of `client`'s later codes. */
export function showLinks(client: Client, options: LinkOptions, terminal: Terminal): void {
  if (options.qr === true && options.json !== true) drawCodes(client, terminal)
  if (options.copy === true) copyLinks(client, options, terminal)
}

/** Draws the link of each new code below it. */
const drawCodes = (client: Client, terminal: Terminal): void =>
  forEachLink(client, linkToScan, (link) => {
    for (const line of qrLines(link)) terminal.note(line)
  })

/** The link for a chat, whose reader may be anywhere: the page of the share's server, or else the join link. */
const linkToCopy: LinkOf = (share, network) => webPageOf(share) ?? linkOfShare(share, network)

/** Copies the link of each new code. */
const copyLinks = (client: Client, { json, quiet }: LinkOptions, terminal: Terminal): void =>
  forEachLink(client, linkToCopy, (link) => {
    void copied(link, copiers(process.platform, process.env)).then((done) => {
      const isAsked = !done && sendSequence(copySequence(link))
      if (json === true) return
      if (done && quiet !== true) terminal.note(text.transfer.copied)
      else if (!done && !isAsked) terminal.note(text.transfer.notCopied)
    })
  })

type LinkOf = typeof linkToScan

/** Skips repeated links; the link of a code changes with the share's server and the local network. */
function forEachLink(client: Client, linkOf: LinkOf, use: (link: string) => void): void {
  let used: string | null = null
  client.subscribe((batch) => {
    if (!batch.some(({ event }) => changesLink.has(event.type))) return
    const { shares, localNetwork } = client.snapshot().state
    const [share] = shares
    const link = share === undefined ? null : linkOf(share, localNetwork)
    if (link === null || link === used) return
    used = link
    use(link)
  })
}

const changesLink: ReadonlySet<string> = new Set(['share-coded', 'local-network-changed'])
