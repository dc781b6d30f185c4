import { expect, it } from 'vitest'
import { missingTexts } from '#shared/text/catalogue'
import { english } from '../main/text/english'
import { korean } from '../main/text/korean'

it('the system shows every text in Korean', () => {
  const missing = missingTexts(english, korean).filter((path) => path !== 'window.title')
  expect(missing).toEqual([])
})
