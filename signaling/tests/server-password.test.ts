import { describe, expect, it } from 'vitest'
import { ServerPasswords } from '#signaling/config/server-password'
import { passwordTries } from '#signaling/limits/limits'
import { FakeClock } from './fake-clock.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const near = '203.0.113.7'
const far = '198.51.100.7'

function passwords(...known: readonly string[]) {
  const clock = new FakeClock()
  return { clock, passwords: new ServerPasswords(known, passwordTries, clock) }
}

describe('a server with passwords', () => {
  it.each([
    ['one of them', basic(':north-wind-and-sun'), null],
    ['another of them', basic(':the-second-of-two'), null],
    ['one of them, with a user', basic('anybody:north-wind-and-sun'), null],
    ['the scheme in capitals', basic(':north-wind-and-sun').replace('Basic', 'BASIC'), null],
    ['a part of one', basic(':north-wind-and-su'), 401],
    ['more than one', basic(':north-wind-and-sun '), 401],
    ['both', basic(':north-wind-and-sun:the-second-of-two'), 401],
    ['an empty one', basic(':'), 401],
    ['no colon', basic('north-wind-and-sun'), 401],
    ['no header', undefined, 401],
    ['another scheme', 'Bearer north-wind-and-sun', 401],
    ['no base64', 'Basic :north-wind-and-sun', 401],
    ['a header without end', `Basic ${'A'.repeat(100_000)}`, 401],
  ])('answers %s', (_what, header, status) => {
    const two = passwords('north-wind-and-sun', 'the-second-of-two')
    expect(two.passwords.refusalOf(header, near)).toBe(status)
  })

  it('limits the attempts of one address without affecting others', () => {
    const { clock, passwords: guarded } = passwords('north-wind-and-sun')
    const right = basic(':north-wind-and-sun')
    for (let at = 0; at < passwordTries.burst; at += 1) {
      expect(guarded.refusalOf(basic(`:guess-${at}`), near)).toBe(401)
    }
    expect(guarded.refusalOf(basic(':one-too-many'), near)).toBe(429)
    // Otherwise a fast guesser would still learn the right one.
    expect(guarded.refusalOf(right, near)).toBe(429)
    expect(guarded.refusalOf(right, far)).toBeNull()
    clock.advance(60_000 / passwordTries.perMinute)
    expect(guarded.refusalOf(right, near)).toBeNull()
  })

  it('counts neither right passwords nor missing ones', () => {
    const { passwords: guarded } = passwords('north-wind-and-sun')
    const right = basic(':north-wind-and-sun')
    for (let at = 0; at < 3 * passwordTries.burst; at += 1) {
      expect(guarded.refusalOf(right, near)).toBeNull()
      expect(guarded.refusalOf(undefined, near)).toBe(401)
    }
  })

  it('counts a repeated wrong password once, and keeps refusing it', () => {
    const { passwords: guarded } = passwords('north-wind-and-sun')
    const old = basic(':the-one-of-last-year')
    for (let at = 0; at < 3 * passwordTries.burst; at += 1) {
      expect(guarded.refusalOf(old, near)).toBe(401)
    }
    expect(guarded.refusalOf(basic(':north-wind-and-sun'), near)).toBeNull()
    for (let at = 1; at < passwordTries.burst; at += 1) {
      expect(guarded.refusalOf(basic(`:guess-${at}`), near)).toBe(401)
    }
    expect(guarded.refusalOf(basic(':one-too-many'), near)).toBe(429)
    expect(guarded.refusalOf(old, near)).toBe(401)
    expect(guarded.refusalOf(basic(':one-too-many'), far)).toBe(401)
  })

  it('admits a client with a password, however many addresses guess', () => {
    const { passwords: guarded } = passwords('north-wind-and-sun')
    for (let at = 0; at < 10_000; at += 1) {
      const address = `10.${at >> 8}.${at & 255}.1`
      expect(guarded.refusalOf(basic(`:guess-${at}`), address)).toBe(401)
    }
    expect(guarded.refusalOf(basic(':north-wind-and-sun'), far)).toBeNull()
  })

  it('forgets wrong passwords when the passwords change', () => {
    const { passwords: guarded } = passwords('north-wind-and-sun')
    expect(guarded.refusalOf(basic(':the-second-of-two'), near)).toBe(401)
    guarded.passwords = ['the-second-of-two']
    expect(guarded.refusalOf(basic(':the-second-of-two'), near)).toBeNull()
  })

  it('replaces passwords immediately', () => {
    const { passwords: guarded } = passwords('north-wind-and-sun')
    guarded.passwords = ['the-second-of-two']
    expect(guarded.refusalOf(basic(':north-wind-and-sun'), near)).toBe(401)
    expect(guarded.refusalOf(basic(':the-second-of-two'), near)).toBeNull()
  })
})

it('admits every client without passwords, whatever the header', () => {
  const { passwords: open } = passwords()
  expect(open.refusalOf(undefined, near)).toBeNull()
  expect(open.refusalOf(basic(':anything'), near)).toBeNull()
})
