/**
 * What people can do, as plain functions. They ask the main process and remember what only the
 * window knows; what became of it arrives as events.
 */
import type { PeerId, ReceiveId, ShareId } from '#shared/app-state'
import type { AppError } from '#shared/errors'
import { normaliseJoinCode } from '#shared/join-code'
import type { Result } from '#shared/result'
import { bridge } from './bridge'
import { useAppStore } from './store/app-store'
import { useUiStore } from './store/ui-store'
import { fieldReceive } from './view/stack'

/** Where the code field is; the keyboard and a paste bring people there. */
export const codeFieldId = 'code-field'

/** Shares files that were dropped on the window. */
export async function shareDropped(files: readonly File[]): Promise<void> {
  openWhenMade(await bridge.shareFiles(files))
}

/** Lets the person choose files or a folder, and shares them. */
export async function pickAndShare(kind: 'files' | 'folder'): Promise<void> {
  openWhenMade(await bridge.pickAndShare({ kind }))
}

function openWhenMade(reply: Result<ShareId | null, AppError>): void {
  if (!reply.ok) useUiStore.setState({ notice: reply.error })
  else if (reply.value !== null) useUiStore.setState({ open: { card: reply.value }, notice: null })
}

export async function stopShare(share: ShareId): Promise<void> {
  noticeFailure(await bridge.stopShare({ share }))
}

export async function dropReceiver(share: ShareId, peer: PeerId): Promise<void> {
  noticeFailure(await bridge.dropReceiver({ share, peer }))
}

/** A new code in the field: what was said about the last one is over. */
export function editCode(codeDraft: string): void {
  forgetRefusedCode()
  useUiStore.setState({ codeDraft, codeError: null })
}

/** Puts a pasted code into the field and the cursor behind it; nothing is joined by that. */
export function pasteCode(pasted: string): void {
  editCode(normaliseJoinCode(pasted))
  focusCodeField()
}

export function focusCodeField(): void {
  const field = document.getElementById(codeFieldId)
  if (field instanceof HTMLInputElement) {
    field.focus()
    field.select()
  }
}

/** Looks for the share whose code is in the field. */
export async function joinCode(typed: string): Promise<void> {
  const code = normaliseJoinCode(typed)
  if (code === '') return
  forgetRefusedCode()
  const reply = await bridge.join({ code })
  useUiStore.setState(
    reply.ok ? { codeDraft: '', codeError: null } : { codeDraft: code, codeError: reply.error },
  )
}

/** A receive that failed because of its code is told by the field and leaves with the next one. */
function forgetRefusedCode(): void {
  const { state } = useAppStore.getState()
  const told = state === null ? null : fieldReceive(state)
  if (told?.phase === 'failed') void dismiss(told.id)
}

/** Tries a code again that failed on the way, in place of the failed receive. */
export async function joinAgain(failed: ReceiveId, code: string): Promise<void> {
  const reply = await bridge.join({ code })
  if (!reply.ok) useUiStore.setState({ notice: reply.error })
  else await dismiss(failed)
}

export async function acceptOffer(receive: ReceiveId): Promise<void> {
  const reply = await bridge.accept({ receive })
  useUiStore.setState(reply.ok ? { open: { card: receive } } : { notice: reply.error })
}

/** Ends a receive that runs; what it has written stays, and so does its row. */
export async function cancelReceive(receive: ReceiveId): Promise<void> {
  noticeFailure(await bridge.cancel({ receive }))
}

/** Declines an offer, or a code that has not led to one yet. Nothing of it is worth a row. */
export async function declineOffer(receive: ReceiveId): Promise<void> {
  const reply = await bridge.cancel({ receive })
  noticeFailure(reply)
  if (reply.ok) await dismiss(receive)
}

export async function chooseDirectory(receive: ReceiveId): Promise<void> {
  const reply = await bridge.pickDirectory({ receive })
  if (!reply.ok) useUiStore.setState({ notice: reply.error })
  else if (reply.value !== null) rememberDirectory(receive, reply.value)
}

const rememberDirectory = (receive: ReceiveId, directory: string): void => {
  useUiStore.setState(({ directories }) => ({
    directories: { ...directories, [receive]: directory },
  }))
}

export async function showFolder(receive: ReceiveId): Promise<void> {
  noticeFailure(await bridge.showFolder({ receive }))
}

/** Takes something that has ended off the screen. */
export async function dismiss(id: ShareId | ReceiveId): Promise<void> {
  noticeFailure(await bridge.dismiss({ id }))
}

/** True when the text is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  return (await bridge.copyText({ text })).ok
}

/** Opens a row as a card, or closes the open one. */
export function toggleOpen(id: ShareId | ReceiveId, isOpen: boolean): void {
  useUiStore.setState({ open: isOpen ? 'none' : { card: id } })
}

export function closeNotice(): void {
  useUiStore.setState({ notice: null })
}

function noticeFailure(reply: Result<null, AppError>): void {
  if (!reply.ok) useUiStore.setState({ notice: reply.error })
}
