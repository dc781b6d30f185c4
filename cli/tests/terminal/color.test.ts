import { describe, expect, it } from 'vitest'
import { colored, hasColor, isDumb } from '../../terminal/color'

describe('colors', () => {
  it('are for terminals that want them', () => {
    expect(hasColor(undefined, true, {})).toBe(true)
    expect(hasColor('auto', true, { NO_COLOR: '' })).toBe(true)
    expect(hasColor('auto', true, { NO_COLOR: '1' })).toBe(false)
    expect(hasColor('auto', true, { TERM: 'dumb' })).toBe(false)
    expect(hasColor('auto', false, {})).toBe(false)
    expect(isDumb({ TERM: 'xterm' })).toBe(false)
  })

  it('are what was asked for, whatever the terminal is', () => {
    expect(hasColor('always', false, { NO_COLOR: '1' })).toBe(true)
    expect(hasColor('never', true, {})).toBe(false)
  })

  it('end with the line', () => {
    expect(colored('a', 'bad')).toBe('\u001b[31ma\u001b[0m')
  })
})
