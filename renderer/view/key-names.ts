import { bridge } from '../bridge'
import { text } from '../text'

const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧' }

/** The keys of a shortcut as labeled on keyboards: `Mod+Shift+O` is Ctrl, Shift and O. */
export const keyNames = (combination: string): readonly string[] =>
  combination.split('+').map((key) => {
    const named: Readonly<Record<string, string>> = text.shortcuts.keys
    const sign = bridge.platform === 'darwin' ? macSigns[key] : undefined
    return sign ?? named[key === ' ' ? 'Space' : key] ?? key
  })
