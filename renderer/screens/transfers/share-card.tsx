import { ListTree, Users } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { reachOfShare } from '#shared/reach'
import type { Receiver, Share, ShareId } from '#shared/state/app-state'
import { chooseContacts } from '../../actions/contact-actions'
import { pauseShare, removeItem, stopShare } from '../../actions/share-actions'
import { Button, IconButton } from '../../components/button'
import { CopyButton } from '../../components/copy-button'
import { Icon } from '../../components/icon'
import { ItemList } from '../../components/item-list'
import { JoinCode } from '../../components/join-code'
import { JoinLink } from '../../components/join-link'
import { later } from '../../components/later'
import { PauseButton, spacePauses } from '../../components/pause-button'
import { ReachNote } from '../../components/reach-note'
import { SafetyNumbers } from '../../components/safety-numbers'
import { useCopied } from '../../components/use-copied'
import { useAppStore } from '../../store/app-store'
import { type UiState, useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { useNow } from '../../use-now'
import { modName } from '../../use-shortcuts'
import { waitedFor } from '../../view/contact-view'
import { endsTransfer } from '../../view/controls'
import { shareIcon } from '../../view/item-icon'
import { comparables, openCalls } from '../../view/nearby-view'
import { canPause, shareSummary } from '../../view/share-view'
import { InvitedList } from '../contacts/invited-list'
import { AddMenu } from './add-menu'
import { CodeNotes } from './code-notes'
import { ExpandButton } from './expand-button'
import { Receivers } from './receivers'
import { ShareMenu } from './share-menu'
import { ShareProblems } from './share-problems'
import { useCountdownWords } from './use-countdown-words'
import { Waiting } from './waiting'

const ConnectionDetails = later(
  async () => (await import('./connection-details')).ConnectionDetails,
)

const FollowedLinks = later(async () => (await import('./followed-links')).FollowedLinks)

const CallList = later(async () => (await import('../contacts/call-list')).CallList)

/** More items need a list that scrolls, which a card doesn't have. */
const itemsShown = 8

/** An open share: its code first, and its receivers once one has joined. */
export function ShareCard({ share }: { readonly share: Share }) {
  const hasReceivers = share.receivers.length > 0
  const [wasWaiting] = useState(!hasReceivers)
  const isTarget = useUiStore(({ drag }) => isOver(drag, share.id))
  const pause = (): void => {
    void pauseShare(share.id, null, !share.paused)
  }
  return (
    <article
      className={isTarget ? 'card target' : 'card'}
      aria-label={share.title}
      {...(share.requests !== true && { 'data-share': share.id })}
      {...(canPause(share) && spacePauses(pause))}
    >
      {isTarget && <p className="target-words">{text.drop.addTo(share.title)}</p>}
      <ShareHead share={share} />
      {hasReceivers ? (
        <JoinedBody share={share} isFirst={wasWaiting} />
      ) : (
        <WaitingBody share={share} />
      )}
    </article>
  )
}

function isOver(drag: UiState['drag'], share: ShareId): boolean {
  const over = drag?.over ?? null
  return over !== null && 'share' in over && over.share === share
}

function ShareHead({ share }: { readonly share: Share }) {
  const nowMs = useNow(true)
  useCountdownWords(share, nowMs)
  return (
    <header className="card-head">
      <span className="tile accent">
        <Icon of={shareIcon(share)} size={20} />
      </span>
      <div className="grow">
        <h2 className="title trunc">{share.title}</h2>
        <p className="sub counts">
          {!share.totals.complete && share.requests !== true && (
            <span className="spinner" role="img" aria-label={text.share.counting} />
          )}
          {shareSummary(share, nowMs)}
        </p>
      </div>
      {canPause(share) && (
        <PauseButton
          paused={share.paused}
          pauseWords={text.actions.pauseAll}
          onPause={(paused) => void pauseShare(share.id, null, paused)}
        />
      )}
      <Button variant="ghost" className={endsTransfer} onClick={() => void stopShare(share.id)}>
        {share.requests === true ? text.share.stopRequest : text.share.stop}
      </Button>
      {hasOwnCode(share) && <ShareMenu share={share} />}
      <ExpandButton id={share.id} isOpen />
    </header>
  )
}

/** False for a request, whose code has no receivers, and for a share that answers one. */
const hasOwnCode = ({ requests, answers }: Share): boolean =>
  requests !== true && answers === undefined

function WaitingBody({ share }: { readonly share: Share }) {
  const [copyState, copy] = useCopied()
  const { id, code } = share
  const copyButton = useRef<HTMLButtonElement>(null)
  const isNew = useUiStore(({ focusing }) => focusing === id)
  useEffect(() => {
    if (!isNew || code === null) return
    useUiStore.setState({ focusing: null })
    const { activeElement } = document
    // The focus stays if the person has moved it meanwhile.
    const isHere = activeElement?.closest('[data-entry], main')?.contains(copyButton.current)
    if (activeElement === document.body || isHere === true) copyButton.current?.focus()
  }, [isNew, code])
  return (
    <>
      {share.invitedOnly !== true && share.answers === undefined && (
        <div className="share-code">
          <p className="label">{codeLabel(share)}</p>
          {code === null ? (
            <p className="opening">{text.share.opening}</p>
          ) : (
            <>
              <JoinCode code={code} size="large" onCopy={() => copy(code)} />
              <ShareReach share={share} />
              <div className="share-actions">
                <CopyButton
                  ref={copyButton}
                  state={copyState}
                  words={text.share.copyCode}
                  variant="primary"
                  hint={text.keys.copy(modName)}
                  onClick={() => copy(code)}
                />
                <JoinLink code={code} share={share} />
                {hasOwnCode(share) && <AddMenu share={share.id} />}
                {hasOwnCode(share) && <SendButton share={share} />}
              </div>
            </>
          )}
        </div>
      )}
      <CodeNotes share={share} />
      <ShareProblems problems={share.problems} />
      {share.followed && <FollowedLinks followed={share.followed} />}
      <div className="sep" />
      {share.items.length > 1 ? (
        <div className="split">
          <Expected share={share} />
          <Contents share={share} />
        </div>
      ) : (
        <Expected share={share} />
      )}
    </>
  )
}

const codeLabel = ({ code, requests }: Share): string => {
  if (code === null) return text.share.codeLabel
  return requests === true ? text.share.requestHint : text.share.codeHint
}

/** The reach of the code; nothing unless the share is open. */
function ShareReach({ share }: { readonly share: Share }) {
  const server = useAppStore(({ state }) => state?.server)
  const localNetwork = useAppStore(({ state }) => state?.localNetwork)
  if (server === undefined || localNetwork === undefined || share.phase !== 'open') return null
  return <ReachNote of={reachOfShare(share, { server, localNetwork })} />
}

/** The people that it was sent to, or else anyone with the code. */
const Expected = ({ share }: { readonly share: Share }) =>
  waitedFor(share).length + openCalls(share).length > 0 ? (
    <div>
      <InvitedList share={share} />
      <CallList share={share} />
    </div>
  ) : (
    <Waiting share={share} />
  )

/** Sends the share to contacts; hidden while there are none. */
function SendButton({
  share: { id, codeEnd },
  isIcon = false,
}: {
  readonly share: Share
  readonly isIcon?: boolean
}) {
  const hasContacts = useAppStore(({ state }) => (state?.contacts.length ?? 0) > 0)
  if (!hasContacts || codeEnd !== null) return null
  const choose = (): void => chooseContacts(id)
  return isIcon ? (
    <IconButton name={text.contacts.send} icon={Users} onClick={choose} />
  ) : (
    <Button icon={Users} onClick={choose}>
      {text.contacts.send}
    </Button>
  )
}

type JoinedProps = {
  readonly share: Share
  /** True when the first receiver joined while the card was open. */
  readonly isFirst: boolean
}

function JoinedBody({ share, isFirst }: JoinedProps) {
  const [copyState, copy] = useCopied()
  const [isCollapsed, setIsCollapsed] = useState(true)
  const { code } = share
  // A share of one item has its name, so a list would repeat it.
  const hasList = share.items.length > 1
  return (
    <>
      <div className="sep" />
      <div className="code-row">
        {share.invitedOnly !== true && share.answers === undefined && (
          <span className="label">{text.share.codeLabel}</span>
        )}
        {code !== null && (
          <JoinCode code={code} size="mid" isShrinking={isFirst} onCopy={() => copy(code)} />
        )}
        <span className="grow" />
        {hasList && (
          <span className="contents-toggle">
            <Button
              variant="ghost"
              icon={ListTree}
              expanded={!isCollapsed}
              onClick={() => setIsCollapsed(!isCollapsed)}
            >
              {text.share.showContents}
            </Button>
          </span>
        )}
        <AddMenu share={share.id} />
        {share.answers === undefined && <SendButton share={share} isIcon />}
        {code !== null && (
          <>
            <JoinLink code={code} share={share} isIcon />
            <CopyButton state={copyState} words={text.share.copyCode} onClick={() => copy(code)} />
          </>
        )}
      </div>
      {share.serverAway === true && <ShareReach share={share} />}
      <CodeNotes share={share} />
      <div className="sep" />
      <div className={['split', hasList ? '' : 'alone', isCollapsed ? 'collapsed' : ''].join(' ')}>
        <div>
          <Receivers share={share} />
          <InvitedList share={share} />
          <CallList share={share} />
        </div>
        {hasList && <Contents share={share} />}
      </div>
      <ConnectionDetails
        id={share.id}
        route={onlyReceiver(share)?.route ?? null}
        statistics={onlyReceiver(share)?.statistics ?? null}
        side="sender"
      />
      <SafetyNumbers of={comparables(share)} />
      <ShareProblems problems={share.problems} />
      {share.followed && <FollowedLinks followed={share.followed} />}
    </>
  )
}

/** The only receiver; several have a badge each. */
const onlyReceiver = ({ receivers }: Share): Receiver | null =>
  receivers.length === 1 ? (receivers[0] ?? null) : null

/** The share's items. The last one can't be removed: without it there is nothing to share. */
const Contents = ({ share }: { readonly share: Share }) => (
  <aside aria-label={text.share.contents}>
    <h3 className="label">{text.share.contents}</h3>
    <ItemList
      items={share.items}
      most={itemsShown}
      onRemove={({ id }) => void removeItem(share.id, id)}
    />
  </aside>
)
