/** What only this window knows: drafts, open cards, notices. Nothing of it is in the app's state. */
import { create } from 'zustand'
import type { JoinLink } from '#shared/code/join-link'
import type { AppError } from '#shared/errors'
import type { Args } from '#shared/ipc'
import type { ShareChoices } from '#shared/settings/share-choices'
import type { ReceiveId, ShareId, TransferId } from '#shared/state/app-state'
import type { Place, SettingsPage } from '../places'

/** A chosen card, none by the person's choice, or the newest. */
export type OpenChoice = { readonly card: string } | 'none' | 'newest'

export type UiState = {
  readonly place: Place
  /** The page that the settings show, also after a look elsewhere. */
  readonly settingsPage: SettingsPage
  /** What stands in the code field, wherever it is drawn. */
  readonly codeDraft: string
  /** Why the last code was refused at once. */
  readonly codeError: AppError | null
  /** The code in the field came from a link and has not been edited since. */
  readonly codeIsFromLink: boolean
  /** The link that named a server for codes of its number; `null` when none did. */
  readonly codeLink: JoinLink | null
  readonly open: OpenChoice
  /** Why the person's last action failed; shown until it is closed. */
  readonly notice: AppError | null
  /** Folders chosen in the preview; others go to Downloads. */
  readonly directories: Readonly<Record<ReceiveId, string>>
  /** The receive whose text goes into the clipboard as soon as it is here. */
  readonly copying: ReceiveId | null
  /** The transfer or entry that ends or is removed in some seconds, unless the person undoes it. */
  readonly ending: Args<'defer'> | null
  /** The share that was just made: its code takes the focus when it is here. */
  readonly focusing: ShareId | null
  /** The unfinished receive that the next code resumes. */
  readonly resumes: TransferId | null
  /** Files held over the window, and over which share; `null` when none are. */
  readonly drag: { readonly items: number; readonly over: ShareId | null } | null
  /** A text is being written, for a new share or for one that runs; `words` is what stands there. */
  readonly writing: { readonly into: ShareId | null; readonly words: string } | null
  /** For the next share; empty when it goes by the settings. */
  readonly nextShare: ShareChoices
  /** The last run did not end by itself, and the person has not closed the note about it. */
  readonly crashed: boolean
  /** The new version that runs since this start, until the person has closed the note about it. */
  readonly updated: string | null
  /** The page about the program opens with what is new. */
  readonly showsNews: boolean
  /** The list of all keys is open. */
  readonly shortcuts: boolean
  /** The open sheet of licenses shows them. */
  readonly licenses: string | null
  /** The share for which contacts are being chosen to send it to. */
  readonly sending: ShareId | null
  /** Contact requests that were declined here; see `sideKey`. */
  readonly refused: readonly string[]
  /** Nothing was ever sent or received here, so home says how it is done. */
  readonly isFirstTime: boolean
  /** The last sentence for people who can't see the window, and the how many it was. */
  readonly said: { readonly words: string; readonly nth: number }
}

export const useUiStore = create<UiState>(() => ({
  place: 'transfers',
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
  drag: null,
  writing: null,
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
