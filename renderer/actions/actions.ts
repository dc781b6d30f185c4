/**
 * What people can do, as plain functions. They ask the main process and remember what only the
 * window knows; what became of it arrives as events.
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

/** Where the code field is; the keyboard and a paste bring people there. */
export const codeFieldId = 'code-field'

/** Puts a code into the field; messages about the previous one disappear. */
export function editCode(codeDraft: string): void {
  forgetRefusedCode()
  useUiStore.setState(({ codeLink }) => ({
    codeDraft,
    codeError: null,
    codeIsFromLink: false,
    codeLink: codeDraft === '' ? null : codeLink,
  }))
}

/** Lets the program get ready for a code whose words are still typed; that of a link may belong to another server. */
export function prepareJoin(draft: string): void {
  const nameplate = nameplateIn(draft)
  if (nameplate === null || serverFor(draft, useUiStore.getState().codeLink) !== null) return
  void bridge.prepareJoin({ nameplate })
}

/** Puts a pasted code into the field and the cursor behind it; nothing is joined by that. */
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

/** The server for a code in the field: that of the link which its number came from. */
export function serverFor(code: string, link: JoinLink | null): string | null {
  return link !== null && nameplateOf(link.code) === nameplateOf(`${code}-`) ? link.server : null
}

/** A paste into the field: false when it is left to the field, because it is a part of a code. */
export function pasteOverDraft(text: string): boolean {
  const found = pasted(text)
  if (found.ok && !isJoinCode(found.value.code)) return false
  pasteCode(text)
  return true
}

/** Puts the code of an opened join link into the field; only a person joins it. */
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

/**
 * Looks for the share whose code is in the field. `agreed`: the person was asked about the server of
 * the link that the code came from.
 */
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
  const reply = await bridge.join({
    code: server === null ? code : makeJoinLink({ code, server }),
    resumes: resumes ?? undefined,
    agreed,
  })
  const after = reply.ok
    ? { ...emptyField, place: 'transfers' as const }
    : { codeDraft: code, codeError: reply.error }
  useUiStore.setState({ ...after, codeLink: reply.ok || server === null ? null : { code, server } })
}

const emptyField = { codeDraft: '', codeError: null, codeIsFromLink: false, resumes: null }

/** Makes the next code resume what was interrupted; the code field says so. */
export function resumeWithCode(resumes: TransferId | null): void {
  useUiStore.setState({ resumes })
  focusCodeField()
}

/** A receive that failed because of its code leaves the field with the next code. */
function forgetRefusedCode(): void {
  const { state } = useAppStore.getState()
  const refused = state === null ? null : refusedReceive(state)
  if (refused !== null) void dismiss(refused.id)
}

/** Tries the code of an unfinished receive again, in its place, and resumes it. */
export async function joinAgain({ id, code, transfer, server }: Receive): Promise<void> {
  const { state } = useAppStore.getState()
  const isUnfinished = state?.unfinished.some((entry) => entry.transfer === transfer) ?? false
  const reply = await bridge.join({
    code: server === undefined ? code : makeJoinLink({ code, server }),
    resumes: isUnfinished ? transfer : undefined,
  })
  if (!reply.ok) useUiStore.setState({ notice: reply.error })
  else await dismiss(id)
}

export async function acceptOffer(plan: Args<'accept'>): Promise<void> {
  const reply = await bridge.accept(plan)
  if (reply.ok) showCard(plan.receive)
  else useUiStore.setState({ notice: reply.error })
}

/** Accepts an offer of texts alone: its card shows them, and a `copied` one also goes to the clipboard. */
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

/** Takes files out of a receive that runs, or in again. */
export async function selectFiles(
  receive: ReceiveId,
  patterns: readonly string[],
  wanted: boolean,
): Promise<void> {
  noticeFailure(await bridge.select({ receive, patterns, wanted }))
}

/** Of what is missing these files come first. */
export async function prioritizeFiles(
  receive: ReceiveId,
  patterns: readonly string[],
): Promise<void> {
  noticeFailure(await bridge.prioritize({ receive, patterns }))
}

/** Deletes what an interrupted receive left. */
export async function forgetPartial(transfer: TransferId): Promise<void> {
  noticeFailure(await bridge.forget({ transfer }))
}

export async function setSpeedLimits(speedLimits: Args<'setLimits'>): Promise<void> {
  noticeFailure(await bridge.setLimits(speedLimits))
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

/** Opens the one file of a finished receive. */
export async function viewReceived(receive: ReceiveId): Promise<void> {
  noticeFailure(await bridge.viewReceived({ receive }))
}

/** During a drag: hands what was received to wherever it is dropped. */
export async function dragReceived(receive: ReceiveId): Promise<void> {
  noticeFailure(await bridge.dragReceived({ receive }))
}

/** Shows a file of the app's own that can't be used, so that a person can mend it. */
export async function showStorage(file: string): Promise<void> {
  noticeFailure(await bridge.showStorage({ file }))
}

/** Ends the app and starts it again; shares and receives come back. */
export async function restart(): Promise<void> {
  noticeFailure(await bridge.restart(undefined))
}

/** True when a report about this start's errors is in the clipboard. */
export async function copyReport(): Promise<boolean> {
  return (await bridge.copyReport(undefined)).ok
}

/** Takes something that has ended off the screen. */
export async function dismiss(id: ShareId | ReceiveId): Promise<void> {
  noticeFailure(await bridge.dismiss({ id }))
}

/** Lets the person keep a received text as a file. */
export async function saveText(receive: ReceiveId, name: string, text: string): Promise<void> {
  noticeFailure(await bridge.saveText({ receive, name, text }))
}

/** True when the text is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  return (await bridge.copyText({ text })).ok
}

/** Opens the card of something that a person just began, wherever they are. */
export function showCard(card: ShareId | ReceiveId): void {
  useUiStore.setState({ place: 'transfers', open: { card }, notice: null })
}

/** Opens a row as a card, or closes the open one. */
export function toggleOpen(id: ShareId | ReceiveId, isOpen: boolean): void {
  useUiStore.setState({ open: isOpen ? 'none' : { card: id } })
}

export function closeNotice(): void {
  useUiStore.setState({ notice: null })
}

/** Shows why something that was asked for did not happen. */
export function noticeFailure(reply: Result<unknown, AppError>): void {
  if (!reply.ok) useUiStore.setState({ notice: reply.error })
}
