/**
 * People's actions, as plain functions. They send requests to the main process and update state of the window; results
 * arrive as events.
 */
import { nameplateIn, pasted, readCode } from '#shared/code/code-entry'
import { isJoinCode, nameplateOf } from '#shared/code/join-code'
import { type JoinLink, makeJoinLink } from '#shared/code/join-link'
import type { AppError } from '#shared/errors'
import type { Args } from '#shared/ipc'
import type { Result } from '#shared/result'
import type { Receive, ReceiveId, ShareId, TransferId } from '#shared/state/app-state'
import { bridge } from '../bridge'
import { useAppStore } from '../store/app-store'
import { refusedReceive } from '../store/code-field'
import { useUiStore } from '../store/ui-store'
import { askAboutMeeting } from './meeting-actions'

/** The id of the code field, the focus target of a shortcut and of pasted codes. */
export const codeFieldId = 'code-field'

/** Puts a code into the field, and clears messages about the previous one. */
export function editCode(codeDraft: string): void {
  forgetRefusedCode()
  useUiStore.setState(({ codeLink }) => ({
    codeDraft,
    codeError: null,
    codeIsFromLink: false,
    codeLink: codeDraft === '' ? null : codeLink,
  }))
}

/** Prepares for a code whose words are still being typed. Skipped if a link names another server for it. */
export function prepareJoin(draft: string): void {
  const nameplate = nameplateIn(draft)
  if (nameplate === null || serverFor(draft, useUiStore.getState().codeLink) !== null) return
  void bridge.prepareJoin({ nameplate })
}

/** Puts a pasted code into the field and the cursor behind it. Joins nothing. */
export function pasteCode(text: string): void {
  const found = pasted(text)
  if (found.ok) {
    fillCode(found.value)
    prepareJoin(found.value.code)
  } else useUiStore.setState({ codeError: found.error })
  focusCodeField()
}

/** Puts the code of a link into the field, and remembers its server. */
function fillCode(link: JoinLink): void {
  editCode(link.code)
  useUiStore.setState({ codeLink: link.server === null ? null : link })
}

/** The server for a code in the field: the link's, if the nameplate is the link's. */
export function serverFor(code: string, link: JoinLink | null): string | null {
  return link !== null && nameplateOf(link.code) === nameplateOf(`${code}-`) ? link.server : null
}

/** Handles a paste into the field. Returns false to leave part of a code to the field itself. */
export function pasteOverDraft(text: string): boolean {
  const found = pasted(text)
  if (found.ok && !isJoinCode(found.value.code)) return false
  pasteCode(text)
  return true
}

/** Puts the code of an opened join link into the field; the user must start the join. */
export async function takeLink(): Promise<void> {
  const reply = await bridge.takeLink(undefined)
  noticeFailure(reply)
  if (!reply.ok || reply.value === null) return
  fillCode(reply.value)
  useUiStore.setState({ codeIsFromLink: true, notice: null })
  focusCodeField()
}

export function focusCodeField(): void {
  const field = document.getElementById(codeFieldId)
  if (field instanceof HTMLInputElement) {
    field.focus()
    field.select()
  }
}

/** Joins the share whose code is in the field. `agreed`: the person agreed to the server of the code's link. */
export async function joinCode(draft: string, agreed?: true): Promise<void> {
  if (draft.trim() === '') return
  forgetRefusedCode()
  const read = readCode(draft)
  if (!read.ok) {
    useUiStore.setState({ codeDraft: draft, codeError: read.error })
    return
  }
  const { code } = read.value
  const { resumes, codeLink } = useUiStore.getState()
  const server = read.value.server ?? serverFor(code, codeLink)
  if (server === null) await askAboutMeeting()
  const reply = await bridge.join({
    code: server === null ? code : makeJoinLink({ code, server }),
    resumes: resumes ?? undefined,
    agreed,
  })
  const after = reply.ok
    ? { ...emptyField, section: 'transfers' as const }
    : { codeDraft: code, codeError: reply.error }
  useUiStore.setState({ ...after, codeLink: reply.ok || server === null ? null : { code, server } })
}

const emptyField = { codeDraft: '', codeError: null, codeIsFromLink: false, resumes: null }

/** Makes the next code resume an interrupted receive; the code field says so. */
export function resumeWithCode(resumes: TransferId | null): void {
  useUiStore.setState({ resumes })
  focusCodeField()
}

/** Removes a receive that failed because of its code once the next code is entered. */
function forgetRefusedCode(): void {
  const { state } = useAppStore.getState()
  const refused = state === null ? null : refusedReceive(state)
  if (refused !== null) void dismiss(refused.id)
}

/** Tries the code of an unfinished receive again, and resumes it in place of the old one. */
export async function joinAgain({ id, code, transfer, server }: Receive): Promise<void> {
  const { state } = useAppStore.getState()
  const isUnfinished =
    state?.resumableReceives.some((entry) => entry.transfer === transfer) ?? false
  const reply = await bridge.join({
    code: server === undefined ? code : makeJoinLink({ code, server }),
    resumes: isUnfinished ? transfer : undefined,
  })
  if (!reply.ok) useUiStore.setState({ notice: reply.error })
  else await dismiss(id)
}

/** Closes the preview of an offer, which then waits in the list of transfers. */
export function answerLater(receive: ReceiveId): void {
  useUiStore.setState(({ later }) => ({ later: [...later, receive] }))
}

/** Opens the preview of an offer again. */
export function reviewOffer(receive: ReceiveId): void {
  useUiStore.setState(({ later }) => ({ later: later.filter((one) => one !== receive) }))
}

export async function acceptOffer(plan: Args<'accept'>): Promise<void> {
  const reply = await bridge.accept(plan)
  if (reply.ok) showCard(plan.receive)
  else useUiStore.setState({ notice: reply.error })
}

/** Accepts an offer of texts alone: its card shows them, and `copied` also copies the text to the clipboard. */
export async function acceptText(receive: ReceiveId, to: 'shown' | 'copied'): Promise<void> {
  if (to === 'copied') useUiStore.setState({ copying: receive })
  await acceptOffer({ receive })
}

/** Opens a link of a received text in the browser. */
export async function openLink(receive: ReceiveId, link: string): Promise<void> {
  noticeFailure(await bridge.openLink({ receive, link }))
}

export async function pauseReceive(receive: ReceiveId, paused: boolean): Promise<void> {
  noticeFailure(await bridge.pauseReceive({ receive, paused }))
}

/** Adds files to a running receive, or removes them. */
export async function selectFiles(
  receive: ReceiveId,
  patterns: readonly string[],
  wanted: boolean,
): Promise<void> {
  noticeFailure(await bridge.select({ receive, patterns, wanted }))
}

/** Moves missing files to the front. */
export async function prioritizeFiles(
  receive: ReceiveId,
  patterns: readonly string[],
): Promise<void> {
  noticeFailure(await bridge.prioritize({ receive, patterns }))
}

/** Deletes the partial files of an interrupted receive. */
export async function deletePartial(transfer: TransferId): Promise<void> {
  noticeFailure(await bridge.deletePartial({ transfer }))
}

export async function setSpeedLimits(speedLimits: Args<'setLimits'>): Promise<void> {
  noticeFailure(await bridge.setLimits(speedLimits))
}

/** Declines an offer, or a code that has not led to one yet, and removes its row. */
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

const rememberDirectory = (receive: ReceiveId, directory: string): void =>
  useUiStore.setState(({ directories }) => ({
    directories: { ...directories, [receive]: directory },
  }))

export async function showFolder(receive: ReceiveId): Promise<void> {
  noticeFailure(await bridge.showFolder({ receive }))
}

/** Opens the single file of a finished receive. */
export async function viewReceived(receive: ReceiveId): Promise<void> {
  noticeFailure(await bridge.viewReceived({ receive }))
}

/** Hands the received item to the target of a drag. */
export async function dragReceived(receive: ReceiveId): Promise<void> {
  noticeFailure(await bridge.dragReceived({ receive }))
}

/** Shows one of the app's own files that can't be used, so that a person can repair it. */
export async function showStorage(file: string): Promise<void> {
  noticeFailure(await bridge.showStorage({ file }))
}

/** Restarts the app; shares and receives resume. */
export async function restart(): Promise<void> {
  noticeFailure(await bridge.restart(undefined))
}

/** Copies a report about this run's errors. False if that failed. */
export async function copyReport(): Promise<boolean> {
  return (await bridge.copyReport(undefined)).ok
}

/** Removes a share or receive that has ended from the screen. */
export async function dismiss(id: ShareId | ReceiveId): Promise<void> {
  noticeFailure(await bridge.dismiss({ id }))
}

/** Saves a received text to a file that the person chooses. */
export async function saveText(receive: ReceiveId, name: string, text: string): Promise<void> {
  noticeFailure(await bridge.saveText({ receive, name, text }))
}

/** Copies a text to the clipboard. False if that failed. */
export async function copyText(text: string): Promise<boolean> {
  return (await bridge.copyText({ text })).ok
}

/** Opens the card of a share or receive that was just started, from any place. */
export function showCard(card: ShareId | ReceiveId): void {
  useUiStore.setState({ section: 'transfers', open: { card }, notice: null })
}

/** Opens a row as a card, or closes the open one. */
export function toggleOpen(id: ShareId | ReceiveId, isOpen: boolean): void {
  useUiStore.setState({ open: isOpen ? 'none' : { card: id } })
}

export function closeNotice(): void {
  useUiStore.setState({ notice: null })
}

/** Shows the error of a failed request. */
export function noticeFailure(reply: Result<unknown, AppError>): void {
  if (!reply.ok) useUiStore.setState({ notice: reply.error })
}
