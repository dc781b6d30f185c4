import * as Dialog from '@radix-ui/react-dialog'
import { useEffect, useRef, useState } from 'react'
import { formatBytes } from '#shared/format/format'
import type { ReceiveOptions } from '#shared/settings/receive-options'
import { hasOnlyTexts, type Receive, textsIn } from '#shared/state/app-state'
import { acceptOffer, answerLater } from '../../actions/actions'
import { Avatar } from '../../components/avatar'
import { Button } from '../../components/button'
import { RouteBadge } from '../../components/route-badge'
import { SearchField } from '../../components/search-field'
import { Tick } from '../../components/tick'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { offered, verifiedBy } from '../../view/receive-view'
import { isWanted, tickOf, toggled } from '../../view/ticks'
import { ConflictList } from './conflict-list'
import { OfferButtons } from './offer-buttons'
import { OfferTree } from './offer-tree'
import { PreviewSide } from './preview-side'
import { TextOffer } from './text-offer'
import { type Preview, usePreview } from './use-preview'

/** An offer, and buttons to accept or decline it. Opens when the offer arrives. */
export function PreviewSheet() {
  const later = useUiStore((view) => view.later)
  const receive = useAppStore(({ state }) => (state === null ? null : offered(state, later)))
  return (
    <Dialog.Root open={receive !== null}>
      <Dialog.Portal>
        {/* Radix's own overlay inserts a style element, which our content security policy forbids. */}
        <div className="scrim">
          {receive &&
            (hasOnlyTexts(receive.items) ? (
              <TextOffer key={receive.id} receive={receive} />
            ) : (
              <Sheet key={receive.id} receive={receive} />
            ))}
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Sheet({ receive }: { readonly receive: Receive }) {
  const { id, from, title, items, totals, route } = receive
  const preview = usePreview(receive)
  const { selection, preflight, options, areNamesChecked, isContinued } = preview
  const { hasEarlierChoice, wanted } = preview
  const isNothing = !hasEarlierChoice && wanted.files === 0 && (totals?.files ?? 0) > 0
  const isShort = preflight !== null && preflight.neededBytes > preflight.freeBytes
  const isRefused = isShort || (preflight?.error ?? null) !== null
  const accept = useRef<HTMLButtonElement>(null)
  const [isDeciding, setIsDeciding] = useState(false)
  const [query, setQuery] = useState('')
  const answer = (): void => {
    // The main process knows an earlier choice with all its changes.
    if (hasEarlierChoice) void acceptOffer({ receive: id, options })
    else if (selection !== null) void acceptOffer({ receive: id, options, selection })
  }
  // A click that comes before the engine has checked the names waits for that, unless the options change.
  const clickedWith = useRef<ReceiveOptions | null>(null)
  useEffect(() => {
    if (!areNamesChecked || clickedWith.current === null) return
    const isCurrent = clickedWith.current === options
    clickedWith.current = null
    if (isCurrent && !isNothing && !isRefused) answer()
  })
  return (
    <Dialog.Content
      className="sheet"
      onEscapeKeyDown={(event) => {
        const isRenaming = event.target instanceof Element && event.target.matches('.node-name')
        if (!isDeciding && query === '' && !isRenaming) answerLater(id)
        else event.preventDefault()
        if (isRenaming) return
        if (isDeciding) setIsDeciding(false)
        else setQuery('')
      }}
      onInteractOutside={(event) => event.preventDefault()}
      onOpenAutoFocus={(event) => {
        event.preventDefault()
        accept.current?.focus()
      }}
    >
      <header className="sheet-head">
        <Avatar name={from} size="large" />
        <div className="grow">
          <Dialog.Title className="title large two-lines">
            {text.preview.title({ name: from, files: (totals?.files ?? 0) - textsIn(items) })}
          </Dialog.Title>
          <Dialog.Description className="sub trunc">
            {[title, formatBytes(totals?.bytes ?? 0), verifiedBy(receive)].join(text.separator)}
          </Dialog.Description>
        </div>
        {route && <RouteBadge route={route} />}
      </header>
      <div className="sheet-body">
        {isDeciding ? (
          <ConflictList preview={preview} onDone={() => setIsDeciding(false)} />
        ) : (
          <section className="sheet-list">
            <TreeHead receive={receive} preview={preview} />
            {(totals?.files ?? 0) > 1 && (
              <SearchField className="tree-search" query={query} onSearch={setQuery} />
            )}
            <OfferTree receive={receive} preview={preview} query={query} />
          </section>
        )}
        <PreviewSide receive={receive} preview={preview} onDecide={() => setIsDeciding(true)} />
      </div>
      <footer className="sheet-foot">
        <p className="grow sub">
          {selection === null && wanted.files > 0
            ? text.preview.tooManySelections
            : text.preview.nothingYet}
        </p>
        <OfferButtons receive={id} />
        <Button
          ref={accept}
          variant="primary"
          size="large"
          hint={text.keys.enter}
          isDisabled={selection === null || isNothing || (areNamesChecked && isRefused)}
          onClick={() => {
            if (areNamesChecked) answer()
            else clickedWith.current = options
          }}
        >
          {isContinued || hasEarlierChoice
            ? text.actions.resume
            : text.preview.receive(wanted.bytes)}
        </Button>
      </footer>
    </Dialog.Content>
  )
}

type HeadProps = { readonly receive: Receive; readonly preview: Preview }

/** One tick for everything, or the choice from an interrupted receive. */
function TreeHead({ receive: { items, totals }, preview }: HeadProps) {
  const { ticks, setTicks, hasEarlierChoice, chooseAgain, wanted } = preview
  const whole = totals ?? { files: 0, bytes: 0 }
  const texts = items.filter(({ kind }) => kind === 'text')
  const wantedTexts = texts.filter(({ name }) => isWanted(ticks, name))
  if (hasEarlierChoice) {
    return (
      <div className="tree-head">
        <span className="grow">{text.preview.previousSelection}</span>
        <Button variant="ghost" size="small" onClick={chooseAgain}>
          {text.preview.chooseAgain}
        </Button>
      </div>
    )
  }
  return (
    <div className="tree-head">
      <Tick state={tickOf(ticks, '', whole)} onToggle={() => setTicks(toggled(ticks, '', whole))}>
        {text.preview.choose}
      </Tick>
      <span className="grow" />
      <span className="meta">
        {text.preview.filesWanted({
          files: wanted.files - wantedTexts.length,
          totalFiles: whole.files - texts.length,
        })}
      </span>
    </div>
  )
}
