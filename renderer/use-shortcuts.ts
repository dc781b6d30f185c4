import { useEffect } from 'react'
import { shortcutOf } from '#shared/shortcuts'
import { copyText, pasteCode } from './actions/actions'
import { shareDropped, shareImage, writePasted } from './actions/share-actions'
import { actOn } from './actions/shortcut-actions'
import { bridge } from './bridge'
import { useAppStore } from './store/app-store'
import { useUiStore } from './store/ui-store'
import { type Pasted, readPaste } from './view/pasted'
import { findEntry, openId } from './view/stack'

/** The name of the modifier key for shortcuts on this computer. */
export const modName = bridge.platform === 'darwin' ? '⌘' : 'Ctrl'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

/** The code of the share whose card is open. */
function openCode(): string | null {
  const { state } = useAppStore.getState()
  if (state === null) return null
  const id = openId(state, useUiStore.getState().open)
  const entry = id === null ? null : findEntry(state, id)
  return entry?.kind === 'share' ? entry.share.code : null
}

function onKey(event: KeyboardEvent): void {
  const id = shortcutOf(event, bridge.platform === 'darwin')
  if (id === null || (isTyping(event.target) && isTyped(event))) return
  event.preventDefault()
  actOn(id)
}

/** True for keys that type or delete text in fields. */
const isTyped = ({ key }: KeyboardEvent): boolean => key === '?' || key === 'Delete'

/** Handles a paste outside of fields: a code fills the code field, files are shared, a text is shown first. */
function onPaste(event: ClipboardEvent): void {
  const { clipboardData } = event
  if (isTyping(event.target) || clipboardData === null) return
  const words = clipboardData.getData('text/plain')
  const pasted = readPaste([...clipboardData.files], words, bridge.hasPath)
  if (pasted === null) return
  event.preventDefault()
  if (pasted.kind === 'code') pasteCode(pasted.words)
  // A dialog in front of the window waits for an answer.
  else if (document.querySelector('[role="dialog"]') === null) share(pasted)
}

function share(pasted: Exclude<Pasted<File>, { readonly kind: 'code' }>): void {
  switch (pasted.kind) {
    case 'files':
      void shareDropped(pasted.files, null)
      break
    case 'image':
      void shareImage(pasted.image)
      break
    case 'text':
      writePasted(pasted.words)
  }
}

/** Copying with nothing selected copies the open share's code. */
function onCopy(event: ClipboardEvent): void {
  const code = openCode()
  if (isTyping(event.target) || code === null || getSelection()?.isCollapsed === false) return
  event.preventDefault()
  void copyText(code)
}

/** Installs the keys that work wherever the focus is. */
export function useShortcuts(): void {
  useEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
    window.addEventListener('keydown', onKey, { signal })
    window.addEventListener('paste', onPaste, { signal })
    window.addEventListener('copy', onCopy, { signal })
    return () => listeners.abort()
  }, [])
}
