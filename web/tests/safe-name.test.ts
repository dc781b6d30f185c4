import { describe, expect, it } from 'vitest'
import { numbered, safePath } from '../storage/safe-name'

describe('a safe name', () => {
  it.each([
    ['album/holiday.jpg', 'album/holiday.jpg'],
    ['a:b?.txt', 'a_b_.txt'],
    ['folder. /file...', 'folder_/file_'],
    ['con', '_con'],
    ['LPT1.txt', '_LPT1.txt'],
    ['console.log', 'console.log'],
  ])('of %s is %s', (path, safe) => {
    expect(safePath(path)).toBe(safe)
  })

  it('gets a number before its ending', () => {
    expect(numbered('a.tar', 1)).toBe('a.tar')
    expect(numbered('a.tar', 2)).toBe('a (2).tar')
    expect(numbered('.profile', 3)).toBe('.profile (3)')
  })
})
