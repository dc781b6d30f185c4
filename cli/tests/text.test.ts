import { describe, expect, it } from 'vitest'
import { text } from '../text'

describe('plural forms', () => {
  it.each([
    [0, '0 files'],
    [1, '1 file'],
    [1234, '1,234 files'],
  ])('of %i files', (count, words) => {
    expect(text.transfer.files(count)).toBe(words)
  })

  it('are whole sentences', () => {
    const { preflight } = text.receive
    expect(preflight.different(1, true)).toBe('1 file already exists with different content:')
    expect(preflight.different(2, true)).toBe('2 files already exist with different content:')
  })
})
