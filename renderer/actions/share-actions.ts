/** What people can do with shares: make them, change what is in them, and end them. */
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import type { Result } from '#shared/result'
import { defaultSettings } from '#shared/settings/settings'
import type { ShareChoices } from '#shared/settings/share-choices'
import type { CodeChange, ShareOptions } from '#shared/settings/share-options'
import type { PeerId, ShareId } from '#shared/state/app-state'
import { bridge } from '../bridge'
import { useAppStore } from '../store/app-store'
import { useUiStore } from '../store/ui-store'
import { text } from '../text'
import { onlyOwn, optionsWith } from '../view/next-share'
import { dismiss, noticeFailure, showCard } from './actions'
import { defer } from './undo-actions'

export type PickKind = 'files' | 'folder'

/** Shares files that were dropped on the window or pasted, or adds them to the share they were dropped on. */
export async function shareDropped(files: readonly File[], into: ShareId | null): Promise<void> {
  const refusal = refusalOf(files)
  if (refusal !== null) useUiStore.setState({ notice: refusal })
  else if (into === null) openWhenMade(await bridge.shareFiles(files, chosenOptions()))
  else noticeFailure(await bridge.addFiles(into, files))
}

/** What a drop can't be shared for: it has too much, or nothing but what is no file, such as a picture of a page. */
function refusalOf(files: readonly File[]): AppError | null {
  if (files.length > limits.pathsPerShare) {
    return appError('E_LIMIT_EXCEEDED', `at most ${limits.pathsPerShare} items in one share`)
  }
  return files.some(bridge.hasPath) ? null : appError('E_NOTHING_TO_SEND')
}

/** Lets the person choose files or a folder, and shares them. */
export async function pickAndShare(kind: PickKind): Promise<void> {
  openWhenMade(await bridge.pickAndShare({ kind, ...withOptions() }))
}

export async function pickAndAdd(share: ShareId, kind: PickKind): Promise<void> {
  noticeFailure(await bridge.pickAndAdd({ share, kind }))
}

/** Opens the sheet in which a text is written. */
export function writeText(into: ShareId | null): void {
  useUiStore.setState({ writing: { into, words: '' } })
}

/** Opens that sheet with a pasted text in it; the person sends it or not. */
export function writePasted(words: string): void {
  const bytes = new TextEncoder().encode(words).length
  if (bytes > limits.textBytes) {
    noticePaste(text.textSheet.tooLong({ bytes, maxBytes: limits.textBytes }))
  } else useUiStore.setState({ writing: { into: null, words } })
}

/** Shares a pasted image that is no file. */
export async function shareImage(image: File): Promise<void> {
  if (image.size > limits.imageBytes) {
    noticePaste(text.pastedImage.tooLarge({ bytes: image.size, maxBytes: limits.imageBytes }))
  } else {
    const png = new Uint8Array(await image.arrayBuffer())
    openWhenMade(await bridge.shareImage({ png, ...withOptions() }))
  }
}

const noticePaste = (why: string): void => {
  useUiStore.setState({ notice: appError('E_BAD_ARGUMENT', why) })
}

export function editText(words: string): void {
  useUiStore.setState(({ writing }) => ({ writing: writing && { ...writing, words } }))
}

export function closeText(): void {
  useUiStore.setState({ writing: null })
}

/** Shares a text. */
export async function sendText(words: string, into: ShareId | null): Promise<void> {
  closeText()
  if (into === null) openWhenMade(await bridge.shareText({ text: words, ...withOptions() }))
  else noticeFailure(await bridge.addText({ share: into, text: words }))
}

/** Shares again what this entry of the history shared. */
export async function sendAgain(entry: number): Promise<void> {
  openWhenMade(await bridge.sendAgain({ id: entry }))
}

function openWhenMade(reply: Result<ShareId | null, AppError>): void {
  if (!reply.ok) useUiStore.setState({ notice: reply.error })
  else if (reply.value !== null) {
    showCard(reply.value)
    useUiStore.setState({ nextShare: {}, focusing: reply.value })
  }
}

/** Chooses something for the next share; what the settings say anyway is no choice. */
export function chooseForNext(choice: ShareChoices): void {
  const sharing = sharingSettings()
  useUiStore.setState(({ nextShare }) => ({
    nextShare: onlyOwn({ ...nextShare, ...choice }, sharing),
  }))
}

export function forgetChoices(): void {
  useUiStore.setState({ nextShare: {} })
}

const sharingSettings = () => (useAppStore.getState().state?.settings ?? defaultSettings).sharing

const chosenOptions = (): ShareOptions | undefined =>
  optionsWith(useUiStore.getState().nextShare, sharingSettings())

function withOptions(): { readonly options?: ShareOptions } {
  const options = chosenOptions()
  return options === undefined ? {} : { options }
}

/** Lets in a receiver that waits for it, or refuses it. */
export async function answerReceiver(
  share: ShareId,
  peer: PeerId,
  approved: boolean,
): Promise<void> {
  noticeFailure(await bridge.answerReceiver({ share, peer, approved }))
}

export async function removeItem(share: ShareId, item: number): Promise<void> {
  noticeFailure(await bridge.removeItem({ share, item }))
}

export async function setMaxReceivers(share: ShareId, count: number): Promise<void> {
  noticeFailure(await bridge.setMaxReceivers({ share, count }))
}

/** Pauses or resumes one receiver, or all of them when `peer` is `null`. */
export async function pauseShare(
  share: ShareId,
  peer: PeerId | null,
  paused: boolean,
): Promise<void> {
  noticeFailure(await bridge.pauseShare({ share, peer, paused }))
}

/** Other rules for the code, from now on. */
export async function changeCode(share: ShareId, change: CodeChange): Promise<void> {
  noticeFailure(await bridge.changeCode({ share, change }))
}

/** Another code in place of the present one, with these words or drawn ones. */
export async function renewCode(share: ShareId, words?: string): Promise<void> {
  noticeFailure(await bridge.renewCode({ share, words }))
}

/** Ends a share for everybody, unless that is undone. */
export const stopShare = (share: ShareId): Promise<void> => defer({ stopShare: share })

/** Shares again what a stopped share offered, in its place. */
export async function shareAgain(share: ShareId): Promise<void> {
  const reply = await bridge.shareAgain({ share })
  openWhenMade(reply)
  if (reply.ok) await dismiss(share)
}

export async function dropReceiver(share: ShareId, peer: PeerId): Promise<void> {
  noticeFailure(await bridge.dropReceiver({ share, peer }))
}
