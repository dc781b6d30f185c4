/** State of this window alone: drafts, open cards, notices. None of it is in the app's state. */
import { create } from 'zustand'
import type { JoinLink } from '#shared/code/join-link'
import type { AppError } from '#shared/errors'
import type { Args } from '#shared/ipc'
import type { ShareChoices } from '#shared/settings/share-choices'
import type { ReceiveId, ShareId, TransferId } from '#shared/state/app-state'
import type { Recipient } from '#shared/state/nearby'
import type { Section, SettingsPage } from '../sections'

/** A chosen card, none by the person's choice, or the newest. */
export type OpenChoice = { readonly card: string } | 'none' | 'newest'

/** The target of a drop: a share that the files are added to, or a person who receives them without a code. */
export type DropTarget = { readonly share: ShareId } | { readonly to: Recipient }

export type UiState = {
  readonly section: Section
  /** The current page of the settings, remembered while another place is shown. */
  readonly settingsPage: SettingsPage
  /** The content of the code field, wherever it is shown. */
  readonly codeDraft: string
  /** The reason why the last code was refused immediately. */
  readonly codeError: AppError | null
  /** The code in the field came from a link and has not been edited. */
  readonly codeIsFromLink: boolean
  /** The link whose server is used for codes with its nameplate; `null` without one. */
  readonly codeLink: JoinLink | null
  readonly open: OpenChoice
  /** The reason why the person's last action failed; shown until it is closed. */
  readonly notice: AppError | null
  /** Folders chosen in the preview; other receives go to Downloads. */
  readonly directories: Readonly<Record<ReceiveId, string>>
  /** The receive whose text is copied to the clipboard on arrival. */
  readonly copying: ReceiveId | null
  /** The transfer or entry that ends or is removed in a few seconds, unless the person undoes it. */
  readonly ending: Args<'defer'> | null
  /** The share that was just created: its code gets the focus when it appears. */
  readonly focusing: ShareId | null
  /** The unfinished receive that the next code resumes. */
  readonly resumes: TransferId | null
  /** Offers that the person will answer later: their previews are closed. */
  readonly later: readonly ReceiveId[]
  /** Files dragged over the window, their MIME types, and the share or person under them; `null` without any. */
  readonly drag: {
    readonly items: number
    readonly types: readonly string[]
    readonly over: DropTarget | null
  } | null
  /** The text being written in `words`, for a new share or a running one. */
  readonly writing: { readonly into: ShareId | null; readonly words: string } | null
  /** Continues the action that waits for an answer about public meeting points; `null` if none waits. */
  readonly meetingAsked: (() => void) | null
  /** Choices for the next share; empty to use the settings. */
  readonly nextShare: ShareChoices
  /** The last run ended unexpectedly, and the person has not closed the note about it. */
  readonly crashed: boolean
  /** The new version since this start, until the person closes the note about it. */
  readonly updated: string | null
  /** The page about the program opens with the release notes. */
  readonly showsNews: boolean
  /** The list of all keys is open. */
  readonly shortcuts: boolean
  /** The text of the open sheet of licenses. */
  readonly licenses: string | null
  /** The share for which contacts are being chosen. */
  readonly sending: ShareId | null
  /** Contact requests that were declined here; see `sideKey`. */
  readonly refused: readonly string[]
  /** No transfer was ever made here, so home explains how to start. */
  readonly isFirstTime: boolean
  /** The last sentence for people who can't see the window, and its number. */
  readonly said: { readonly words: string; readonly nth: number }
}

export const useUiStore = create<UiState>(() => ({
  section: 'transfers',
  settingsPage: 'general',
  codeDraft: '',
  codeError: null,
  codeIsFromLink: false,
  codeLink: null,
  open: 'newest',
  notice: null,
  directories: {},
  copying: null,
  ending: null,
  focusing: null,
  resumes: null,
  later: [],
  drag: null,
  writing: null,
  meetingAsked: null,
  nextShare: {},
  crashed: false,
  updated: null,
  showsNews: false,
  shortcuts: false,
  licenses: null,
  sending: null,
  refused: [],
  isFirstTime: false,
  said: { words: '', nth: 0 },
}))
