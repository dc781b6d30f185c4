/**
 * All keys of the window in one table, which the page and the native menus use and the shortcut sheet lists. `Mod` is
 * Cmd on macOS and Ctrl elsewhere; keys are named as in `KeyboardEvent`.
 */

/** Keys that work wherever the focus is. */
const everywhere = {
  chooseFiles: { group: 'share', keys: ['Mod+O'] },
  chooseFolder: { group: 'share', keys: ['Mod+Shift+O'] },
  codeField: { group: 'receive', keys: ['Mod+L'] },
  find: { group: 'window', keys: ['Mod+F'] },
  remove: { group: 'transfers', keys: ['Delete'] },
  nextRegion: { group: 'window', keys: ['F6'] },
  previousRegion: { group: 'window', keys: ['Shift+F6'] },
  transfers: { group: 'window', keys: ['Mod+1'] },
  history: { group: 'window', keys: ['Mod+2'] },
  settings: { group: 'window', keys: ['Mod+3', 'Mod+,'] },
  contacts: { group: 'window', keys: ['Mod+4'] },
  shortcuts: { group: 'window', keys: ['F1', '?'] },
} as const

/** Keys of the system's editing commands, of the menus, and of single controls. */
const elsewhere = {
  paste: { group: 'share', keys: ['Mod+V'] },
  copyCode: { group: 'share', keys: ['Mod+C'] },
  complete: { group: 'receive', keys: ['Tab'] },
  accept: { group: 'receive', keys: ['Enter'] },
  later: { group: 'receive', keys: ['Escape'] },
  tick: { group: 'receive', keys: [' '] },
  rename: { group: 'receive', keys: ['F2'] },
  pause: { group: 'transfers', keys: [' '] },
  closeWindow: { group: 'window', keys: ['Mod+W'] },
  quit: { group: 'window', keys: ['Mod+Q'] },
} as const

export type ShortcutGroup = 'share' | 'receive' | 'transfers' | 'window'

/** The actions of keys that work everywhere. */
export type PageShortcut = keyof typeof everywhere

export type ShortcutId = PageShortcut | keyof typeof elsewhere

export type Shortcut = {
  readonly id: ShortcutId
  readonly group: ShortcutGroup
  /** Alternatives. */
  readonly keys: readonly string[]
}

const table = { ...everywhere, ...elsewhere }

/** The groups from the top of the sheet. */
export const shortcutGroups: readonly ShortcutGroup[] = ['share', 'receive', 'transfers', 'window']

/** All shortcuts, in the order of the sheet. */
export const shortcuts: readonly Shortcut[] = (Object.keys(table) as ShortcutId[]).map((id) => ({
  id,
  ...table[id],
}))

/** The first key of a shortcut. */
export const keyOf = (id: ShortcutId): string => table[id].keys[0]

/** The relevant part of a `KeyboardEvent`. */
export type Pressed = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** The action of the pressed keys wherever the focus is; `null` for most. */
export function shortcutOf(pressed: Pressed, onMac: boolean): PageShortcut | null {
  const ids = Object.keys(everywhere) as PageShortcut[]
  return (
    ids.find((id) => everywhere[id].keys.some((keys) => isPressed(keys, pressed, onMac))) ?? null
  )
}

function isPressed(keys: string, pressed: Pressed, onMac: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed
  const parts = keys.split('+')
  const isSign = keys === '?'
  const isMod = parts.includes('Mod')
  return (
    key.toLowerCase() === parts.at(-1)?.toLowerCase() &&
    (onMac ? metaKey : ctrlKey) === isMod &&
    !(onMac ? ctrlKey : metaKey) &&
    !altKey &&
    // A sign needs Shift on some keyboards only.
    (isSign || shiftKey === parts.includes('Shift'))
  )
}
