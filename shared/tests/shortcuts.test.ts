import { describe, expect, it } from 'vitest'
import { type Pressed, shortcutOf, shortcuts } from '../shortcuts'

const nothing = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

/** Like a browser's event: its properties are getters of a class, which no spread copies. */
const press = (key: string, held: Partial<Pressed> = {}): Pressed =>
  Object.create({ ...nothing, key, ...held }) as Pressed

describe('shortcutOf', () => {
  it('recognizes keys with Ctrl, and with Cmd on macOS', () => {
    expect(shortcutOf(press('o', { ctrlKey: true }), false)).toBe('chooseFiles')
    expect(shortcutOf(press('O', { ctrlKey: true, shiftKey: true }), false)).toBe('chooseFolder')
    expect(shortcutOf(press('o', { metaKey: true }), true)).toBe('chooseFiles')
    expect(shortcutOf(press('o', { ctrlKey: true }), true)).toBeNull()
    expect(shortcutOf(press('o', { metaKey: true }), false)).toBeNull()
  })

  it('accepts a sign with or without Shift, because keyboards differ', () => {
    expect(shortcutOf(press('?', { shiftKey: true }), false)).toBe('shortcuts')
    expect(shortcutOf(press('?'), false)).toBe('shortcuts')
    expect(shortcutOf(press('F6', { shiftKey: true }), false)).toBe('previousRegion')
    expect(shortcutOf(press('F6'), false)).toBe('nextRegion')
  })

  it('leaves letters and keys with Alt to the page', () => {
    expect(shortcutOf(press('o'), false)).toBeNull()
    expect(shortcutOf(press('o', { ctrlKey: true, altKey: true }), false)).toBeNull()
    expect(shortcutOf(press('v', { ctrlKey: true }), false)).toBeNull()
  })
})

it('no two shortcuts that work everywhere share a key', () => {
  const keys = shortcuts.flatMap((shortcut) => shortcut.keys).filter((key) => key !== ' ')
  expect(new Set(keys).size).toBe(keys.length)
})
