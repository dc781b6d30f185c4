import { afterEach, describe, expect, it } from 'vitest'
import { describeError } from '#shared/describe-error'
import { appError, errorCodes } from '#shared/errors'
import { loadSharedText } from '#shared/text/load'
import { english } from '../text/en/english'
import { korean } from '../text/ko/korean'
import { remedies } from '../view/remedies'

afterEach(() => loadSharedText('en'))

/** Requests in remedies that need a button to perform them. */
const asks: Readonly<Record<string, RegExp>> = {
  'network-settings': /\bsettings\b/,
  restart: /\bStart Thruflux\b/,
  'choose-folder': /\bfolder\b/,
}

describe.each(errorCodes)('%s', (code) => {
  const said = () => describeError(appError(code))

  it('has a sentence and a remedy, in English and in Korean', async () => {
    for (const language of ['en', 'ko'] as const) {
      await loadSharedText(language)
      const { what, remedy } = said()
      expect(what).toMatch(/.\.$/s)
      expect(remedy).toMatch(/.\.$/s)
    }
  })

  it('has a button for its remedy, or a reason for having none', () => {
    const remedy = remedies[code]
    if (remedy.action === null) expect(remedy.because).not.toBe('')
    else {
      expect(english.remedies[remedy.action]).not.toBe('')
      expect(korean.remedies?.[remedy.action]).not.toBe('')
    }
  })

  it('mentions nothing that the window lacks', () => {
    const { remedy } = said()
    const { action } = remedies[code]
    expect(remedy).not.toMatch(/--\w|\bthru\b|terminal|command line|environment/)
    for (const [wanted, words] of Object.entries(asks)) {
      // Words about a folder can also mean one to share.
      if (wanted === 'choose-folder' && action === 'choose-files') continue
      if (words.test(remedy)) expect(action).toBe(wanted)
    }
  })
})
