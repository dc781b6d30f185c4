import { expect, it } from 'vitest'
import { defaultSettings } from '#shared/settings/settings'
import { defaultShareOptions } from '#shared/settings/share-options'
import { onlyOwn, optionsWith, patternsOf } from '../view/next-share'

const { sharing } = defaultSettings

it('reads patterns separated by commas', () => {
  expect(patternsOf(' node_modules, ,*.tmp,')).toEqual(['node_modules', '*.tmp'])
  expect(patternsOf('')).toEqual([])
})

it('is undefined when the settings are enough', () => {
  expect(optionsWith({}, sharing)).toBeUndefined()
  expect(optionsWith({ exclude: ' , ' }, sharing)).toBeUndefined()
})

it('adds to the permanent exclusions, and keeps the rest of the settings', () => {
  const set = { ...sharing, exclude: ['*.bak', '*.tmp'], links: false }
  expect(optionsWith({ exclude: '*.tmp, out', gitignore: true }, set)).toEqual({
    ...defaultShareOptions,
    ...{ exclude: ['*.bak', '*.tmp', 'out'], gitignore: true, links: false },
  })
})

it('never has more patterns than a share takes', () => {
  const exclude = Array.from({ length: 1000 }, (_, index) => index.toString())
  expect(optionsWith({ exclude: 'one more' }, { ...sharing, exclude })?.exclude).toHaveLength(1000)
})

it('drops a choice that equals the settings', () => {
  const chosen = {
    oneReceiver: true,
    approve: true,
    gitignore: true,
    maxReceivers: 10,
    exclude: ' ',
  }
  expect(onlyOwn(chosen, { ...sharing, gitignore: true, approve: true })).toEqual({
    oneReceiver: true,
  })
})
