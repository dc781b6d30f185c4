/** People's actions on shares: create them, change their contents, and end them. */
import { makeJoinLink } from '#shared/code/join-link'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import type { Result } from '#shared/result'
import { defaultSettings } from '#shared/settings/settings'
import type { ShareChoices } from '#shared/settings/share-choices'
import type { CodeChange, ShareOptions } from '#shared/settings/share-options'
import type { PeerId, Receive, ShareId } from '#shared/state/app-state'
import type { NearbyId, Recipient } from '#shared/state/nearby'
import { bridge } from '../bridge'
import { useAppStore } from '../store/app-store'
import { type DropTarget, useUiStore } from '../store/ui-store'
import { text } from '../text'
import { onlyOwn, optionsWith } from '../view/next-share'
import { dismiss, noticeFailure, showCard } from './actions'
import { askAboutMeeting } from './meeting-actions'
import { defer } from './undo-actions'

export type PickKind = 'files' | 'folder'

/** Shares files that were dropped on the window or pasted, or gives them to the target under the pointer. */
export async function shareDropped(
  files: readonly File[],
  target: DropTarget | null,
): Promise<void> {
  const refusal = refusalOf(files)
  if (refusal !== null) useUiStore.setState({ notice: refusal })
  else if (target === null) await share(() => bridge.shareFiles(files, chosenOptions()))
  else if ('share' in target) noticeFailure(await bridge.addFiles(target.share, files))
  else openWhenMade(await bridge.shareFiles(files, chosenOptions(), target.to))
}

/** The reason to refuse a drop: too many items, or none that is a file, such as a web page's picture. */
function refusalOf(files: readonly File[]): AppError | null {
  if (files.length > limits.pathsPerShare) {
    return appError('E_LIMIT_EXCEEDED', `at most ${limits.pathsPerShare} items in one share`)
  }
  return files.some(bridge.hasPath) ? null : appError('E_NOTHING_TO_SEND')
}

/** Opens a picker for files or a folder, and shares the choice. */
export async function pickAndShare(kind: PickKind): Promise<void> {
  await share(() => bridge.pickAndShare({ kind, ...withOptions() }))
}

/** Opens a picker for files or a folder, and sends the choice to one person. */
export async function pickAndSend(kind: PickKind, to: Recipient): Promise<void> {
  openWhenMade(await bridge.pickAndShare({ kind, ...withOptions(), to }))
}

/** Makes a code under which people send files, after the question about public meeting points if it is due. */
export async function requestFiles(): Promise<void> {
  await share(() => bridge.request(undefined))
}

/** Opens a picker for files or a folder, and sends the choice to the request that a receive has found. */
export async function pickAndAnswer(kind: PickKind, { id, code, server }: Receive): Promise<void> {
  const link = server === undefined ? code : makeJoinLink({ code, server })
  const reply = await bridge.pickAndAnswer({ kind, code: link })
  openWhenMade(reply)
  if (reply.ok && reply.value !== null) await dismiss(id)
}

export async function pickAndAdd(share: ShareId, kind: PickKind): Promise<void> {
  noticeFailure(await bridge.pickAndAdd({ share, kind }))
}

/** Opens the sheet for writing a text. */
export function writeText(into: ShareId | null): void {
  useUiStore.setState({ writing: { into, words: '' } })
}

/** Opens that sheet with a pasted text, which the person may send or discard. */
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
    await share(() => bridge.shareImage({ png, ...withOptions() }))
  }
}

const noticePaste = (why: string): void =>
  useUiStore.setState({ notice: appError('E_BAD_ARGUMENT', why) })

export function editText(words: string): void {
  useUiStore.setState(({ writing }) => ({ writing: writing && { ...writing, words } }))
}

export function closeText(): void {
  useUiStore.setState({ writing: null })
}

export async function sendText(words: string, into: ShareId | null): Promise<void> {
  closeText()
  if (into === null) await share(() => bridge.shareText({ text: words, ...withOptions() }))
  else noticeFailure(await bridge.addText({ share: into, text: words }))
}

/** Shares again what this entry of the history shared. */
export async function sendAgain(entry: number): Promise<void> {
  await share(() => bridge.sendAgain({ id: entry }))
}

/** Makes a share, after the question about public meeting points if it is due. */
async function share(make: () => Promise<Result<ShareId | null, AppError>>): Promise<void> {
  await askAboutMeeting()
  openWhenMade(await make())
}

function openWhenMade(reply: Result<ShareId | null, AppError>): void {
  if (!reply.ok) useUiStore.setState({ notice: reply.error })
  else if (reply.value !== null) {
    showCard(reply.value)
    useUiStore.setState({ nextShare: {}, focusing: reply.value })
  }
}

/** Sets choices for the next share, without those that equal the settings. */
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

/** Lets in a waiting receiver, or refuses it. */
export async function approveReceiver(
  share: ShareId,
  peer: PeerId,
  approved: boolean,
): Promise<void> {
  noticeFailure(await bridge.approveReceiver({ share, peer, approved }))
}

/** Answers whether a nearby computer shows the same number. */
export async function compareNumber(
  share: ShareId,
  computer: NearbyId,
  isRight: boolean,
): Promise<void> {
  noticeFailure(await bridge.compareNumber({ share, computer, isRight }))
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

/** Reports changes of a share's items to receivers that follow, or no longer. */
export async function watchShare(share: ShareId, watch: boolean): Promise<void> {
  noticeFailure(await bridge.watchShare({ share, watch }))
}

/** Changes the rules for a share's code. */
export async function changeCode(share: ShareId, change: CodeChange): Promise<void> {
  noticeFailure(await bridge.changeCode({ share, change }))
}

/** Replaces the code by one with these words or random ones. */
export async function renewCode(share: ShareId, words?: string): Promise<void> {
  noticeFailure(await bridge.renewCode({ share, words }))
}

/** Ends a share for all receivers, unless the person undoes it. */
export const stopShare = (share: ShareId): Promise<void> => defer({ stopShare: share })

/** Shares the items of a stopped share again, in its place. */
export async function shareAgain(share: ShareId): Promise<void> {
  const reply = await bridge.shareAgain({ share })
  openWhenMade(reply)
  if (reply.ok) await dismiss(share)
}

export async function disconnectReceiver(share: ShareId, peer: PeerId): Promise<void> {
  noticeFailure(await bridge.disconnectReceiver({ share, peer }))
}
