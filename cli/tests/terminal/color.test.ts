import { describe, expect, it } from 'vitest'
import { colored, hasColor, isDumb } from '../../terminal/color'

describe('colors', () => {
  it('depend on the terminal and the environment', () => {
    expect(hasColor(undefined, true, {})).toBe(true)
    expect(hasColor('auto', true, { NO_COLOR: '' })).toBe(true)
    expect(hasColor('auto', true, { NO_COLOR: '1' })).toBe(false)
    expect(hasColor('auto', true, { TERM: 'dumb' })).toBe(false)
    expect(hasColor('auto', false, {})).toBe(false)
    expect(isDumb({ TERM: 'xterm' })).toBe(false)
  })

  it('follow the option, whatever the terminal', () => {
    expect(hasColor('always', false, { NO_COLOR: '1' })).toBe(true)
    expect(hasColor('never', true, {})).toBe(false)
  })

  it('end with the line', () => {
    expect(colored('a', 'bad')).toBe('\u001b[31ma\u001b[0m')
  })
})
