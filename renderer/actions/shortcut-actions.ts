/** Actions of the keys that work everywhere, which menus also offer. */
import type { PageRequest } from '#shared/ipc'
import type { PageShortcut } from '#shared/shortcuts'
import { hasEnded } from '#shared/state/app-state'
import { hasStopped } from '#shared/state/queries'
import { bridge } from '../bridge'
import { useAppStore } from '../store/app-store'
import { useUiStore } from '../store/ui-store'
import { firstControl } from '../view/controls'
import { findEntry } from '../view/stack'
import { dismiss, focusCodeField, showCard } from './actions'
import { openLicenses } from './license-actions'
import { openSection } from './section-actions'
import { pickAndShare } from './share-actions'

export function closeCrashNote(): void {
  useUiStore.setState({ crashed: false })
}

export function closeShortcuts(): void {
  useUiStore.setState({ shortcuts: false })
}

const actions: { readonly [id in PageShortcut]: () => void } = {
  chooseFiles: () => void pickAndShare('files'),
  chooseFolder: () => void pickAndShare('folder'),
  codeField: focusCodeField,
  find: focusSearch,
  remove: removeFocused,
  nextRegion: () => goToRegion(1),
  previousRegion: () => goToRegion(-1),
  transfers: () => openSection('transfers'),
  history: () => openSection('history'),
  settings: () => openSection('settings'),
  contacts: () => openSection('contacts'),
  shortcuts: () => useUiStore.setState({ shortcuts: true }),
}

/** Performs the action of a key or menu entry. */
export function actOn(id: PageShortcut): void {
  actions[id]()
}

/** Handles requests from outside the page. */
export async function takeRequests(): Promise<void> {
  const reply = await bridge.takeRequests(undefined)
  if (reply.ok) reply.value.forEach(answerRequest)
}

function answerRequest(request: PageRequest): void {
  if ('act' in request) actOn(request.act)
  else if ('open' in request) showCard(request.open)
  else if ('show' in request) void openLicenses()
  else if ('notice' in request) useUiStore.setState({ notice: request.notice })
  else if ('updated' in request) useUiStore.setState({ updated: request.updated })
  else useUiStore.setState({ crashed: true })
}

/** Focuses the visible search field; most places have none. */
function focusSearch(): void {
  const front = document.querySelector('.sheet') ?? document
  const fields = front.querySelectorAll<HTMLInputElement>('input[type="search"]')
  const field = Array.from(fields).find((one) => one.getClientRects().length > 0)
  field?.focus()
  field?.select()
}

/** Removes the focused transfer from the screen, if it has ended. */
function removeFocused(): void {
  const id = document.activeElement?.closest<HTMLElement>('[data-entry]')?.dataset['entry']
  const { state } = useAppStore.getState()
  const entry = id === undefined || state === null ? null : findEntry(state, id)
  if (entry === null) return
  if (entry.kind === 'share' ? hasStopped(entry.share) : hasEnded(entry.receive)) {
    void dismiss(entry.kind === 'share' ? entry.share.id : entry.receive.id)
  }
}

/** The regions of the window from top to bottom; those of an open sheet alone. */
function regions(): readonly HTMLElement[] {
  const sheet = document.querySelector('.sheet')
  const parts = sheet
    ? sheet.querySelectorAll<HTMLElement>(':scope > *, .sheet-body > *')
    : document.querySelectorAll<HTMLElement>(
        'header.bar, .main .entry, .main .footnote, .main .home, .main .place-page > *',
      )
  return Array.from(parts).filter((part) => firstControl(part) !== undefined)
}

/** Moves the focus to the first control of the previous or next region. */
function goToRegion(step: 1 | -1): void {
  const all = regions()
  const present = all.findIndex((region) => region.contains(document.activeElement))
  const from = present === -1 && step === -1 ? 0 : present
  const next = all[(from + step + all.length) % all.length]
  if (next !== undefined) firstControl(next)?.focus()
}
