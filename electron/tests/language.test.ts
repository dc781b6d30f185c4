import { describe, expect, it } from 'vitest'
import { wantedLanguage } from '../main/language'

describe('the language of the window', () => {
  it.each([
    ['what the system prefers', { asked: null, chosen: 'system', preferred: ['ko-KR'] }, 'ko'],
    ['what was chosen', { asked: null, chosen: 'de', preferred: ['ko-KR'] }, 'de'],
    ['what the command line asks for', { asked: 'ar', chosen: 'de', preferred: [] }, 'ar'],
    ['not what nobody speaks', { asked: '../x', chosen: 'system', preferred: ['tlh'] }, 'en'],
  ] as const)('is %s', (_name, wishes, expected) => {
    expect(wantedLanguage(wishes)).toBe(expected)
  })
})
