/** Texts of the sheet that lists all keys. */
import type { ShortcutGroup, ShortcutId } from '#shared/shortcuts'

const groups: { readonly [group in ShortcutGroup]: string } = {
  share: 'Share',
  receive: 'Receive',
  transfers: 'Transfers',
  window: 'Window',
}

const effects: { readonly [id in ShortcutId]: string } = {
  chooseFiles: 'Choose files',
  chooseFolder: 'Choose a folder',
  paste: 'Paste a code, text or files',
  copyCode: "Copy the open share's code",
  codeField: 'Go to the code field',
  complete: 'Complete a code word',
  accept: 'Join, or accept an offer',
  later: 'Answer an offer later, or close a dialog',
  tick: 'Select a file or folder in an offer',
  rename: 'Rename an item of an offer',
  pause: 'Pause or resume the selected transfer',
  remove: 'Remove a transfer that has ended',
  find: 'Search the history or the files of a transfer',
  nextRegion: 'Go to the next part of the window',
  previousRegion: 'Go to the previous part',
  transfers: 'Go to the transfers',
  history: 'Go to the history',
  settings: 'Go to the settings',
  contacts: 'Go to the contacts',
  shortcuts: 'Show this list',
  closeWindow: 'Close the window',
  quit: 'Quit Thruflux',
}

export const shortcutsText = {
  shortcuts: {
    title: 'Keyboard shortcuts',
    groups,
    effects,
    /** Names of keys without a symbol. */
    keys: {
      Mod: 'Ctrl',
      Shift: 'Shift',
      Enter: 'Enter',
      Escape: 'Esc',
      Delete: 'Del',
      Tab: 'Tab',
      Space: 'Space',
    },
  },
} as const
