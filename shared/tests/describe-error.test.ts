import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { describeError } from '#shared/describe-error'
import { appError, errorCodes, toErrorCode } from '#shared/errors'
import { errors as koreanErrors } from '#shared/text/ko/errors'

describe('error codes', () => {
  it('are the same list, in the same order, as in the engine', () => {
    const definition = readFileSync(
      new URL('../../native/src/base/error_codes.def', import.meta.url),
      'utf8',
    )
    const native = [...definition.matchAll(/^X\(\w+, "(\w+)"\)/gm)].map((match) => match[1])
    expect(native).toEqual([...errorCodes])
  })

  it('unknown ones from a newer peer become internal errors', () => {
    expect(toErrorCode('E_FROM_THE_FUTURE')).toBe('E_INTERNAL')
  })
})

describe('describeError', () => {
  const isOneSentence = /^[^.!]+\.$/

  it('says that everything is excluded if that is why nothing is sent', () => {
    const error = appError('E_NOTHING_TO_SEND', 'all of it is excluded')
    expect(describeError(error)).toEqual({
      what: 'Everything is excluded, so there is nothing to send.',
      remedy: 'Check the patterns in the settings and --exclude, and the .gitignore files.',
    })
  })

  it.each(errorCodes)('has one sentence about %s and one about what to do', (code) => {
    const { what, remedy } = describeError(appError(code, 'detail'))
    expect(what).toMatch(isOneSentence)
    expect(remedy).toMatch(isOneSentence)
  })

  it("doesn't claim a time that it can't know", () => {
    const what = (code: 'E_STREAM_BROKEN' | 'E_SOURCE_CHANGED') =>
      describeError(appError(code)).what
    expect(what('E_STREAM_BROKEN')).toBe("The stream ended unexpectedly, so its file isn't kept.")
    expect(what('E_SOURCE_CHANGED')).toBe('A file changed after it was shared.')
  })

  it('uses sentences about an argument unchanged', () => {
    const detail = 'Port 8080 is already in use. Choose another with --port.'
    expect(describeError(appError('E_BAD_ARGUMENT', detail, ':8080'))).toEqual({
      what: 'Port 8080 is already in use.',
      remedy: 'Choose another with --port.',
    })
    expect(describeError(appError('E_BAD_ARGUMENT', '"a. B" is taken. Choose 1.5.', 'x'))).toEqual({
      what: '"a. B" is taken.',
      remedy: 'Choose 1.5.',
    })
    const question = '"aple" isn\'t a join-code word. Did you mean apple?'
    expect(describeError(appError('E_BAD_ARGUMENT', question, '--words'))).toEqual({
      what: '"aple" isn\'t a join-code word.',
      remedy: 'Did you mean apple?',
    })
    expect(describeError(appError('E_BAD_ARGUMENT', 'not an address', 'x')).what).toBe(
      'X: not an address.',
    )
  })

  it.each([
    ['E_SERVER_UNREACHABLE', 'connect ECONNREFUSED 127.0.0.1:1', 'refuses the connection'],
    [
      'E_SERVER_UNREACHABLE',
      'no meeting point answers: connect ECONNREFUSED 127.0.0.1:1',
      'No public meeting point answers',
    ],
    ['E_SERVER_UNREACHABLE', 'getaddrinfo ENOTFOUND a.invalid', "can't be found"],
    [
      'E_SERVER_UNREACHABLE',
      'connect ENETUNREACH 203.0.113.7:443',
      "can't be reached from this network",
    ],
    ['E_SERVER_UNREACHABLE', 'the connection was lost', "isn't responding"],
    ['E_SERVER_PASSWORD', 'no password is set', 'none is set'],
    ['E_SERVER_PASSWORD', 'the password is wrong', "doesn't accept"],
    ['E_NO_SUCH_CODE', 'looked on this network only', 'this computer has no way'],
    ['E_NO_SUCH_CODE', 'looked on this computer only', 'neither a local network nor another way'],
    ['E_NO_SUCH_CODE', 'refused by the server', 'No open code has this number.'],
    ['E_TARGET_NOT_WRITABLE', 'ENOTDIR', 'is a file'],
    ['E_TARGET_NOT_WRITABLE', 'open its folder (20)', 'has the name of one of its folders'],
    ['E_TARGET_NOT_WRITABLE', 'make the folder (17)', 'has the name of one of its folders'],
    ['E_TARGET_NOT_WRITABLE', 'open its folder (40)', 'has the name of one of its folders'],
    ['E_TARGET_NOT_WRITABLE', 'its name is taken', 'already has its name'],
    ['E_TARGET_NOT_WRITABLE', 'make the folder (13)', "can't be written to"],
  ] as const)('says of %s with "%s" that it %s', (code, detail, said) => {
    const { what, remedy } = describeError(appError(code, detail, 'a'))
    expect(what).toContain(said)
    expect(what).toMatch(isOneSentence)
    expect(remedy).toMatch(isOneSentence)
  })

  it.each([
    'E_NO_SUCH_CODE',
    'E_CODE_MISMATCH',
    'E_CODE_LOCKED',
    'E_OWN_CODE',
    'E_TOO_MANY_RECEIVERS',
  ] as const)('says of %s what is true for someone who sends to a code, too', (code) => {
    const english = describeError(appError(code))
    expect(`${english.what} ${english.remedy}`).not.toMatch(/\b(sender|receiv\w*|share)\b/)
    const korean = koreanErrors[code](undefined)
    expect(`${korean.what} ${korean.remedy}`).not.toMatch(/보내는|받는|받을|공유/)
  })

  it('names the subject when there is one', () => {
    expect(describeError(appError('E_PATH_NOT_FOUND', '', 'video')).what).toContain('"video"')
  })
})
