import { describe, expect, it } from 'vitest'
import { contactsFormat } from '#client/contacts/contact-file'
import { fakeKey } from '#client/testing/fake-engine'

const anna = {
  ...{ id: 'a'.repeat(32), name: 'Anna', server: 'ws://a/v1', addedMs: 1, lastSeenMs: null },
  ...{ publicKey: fakeKey('public-anna'), key: fakeKey('key-anna'), autoAccept: null },
}
const own = { secret: fakeKey('secret'), publicKey: fakeKey('public') }

const read = (changes: object) =>
  contactsFormat.decode({ own, contacts: [{ ...anna, ...changes }] }, 1)

describe('the limit of automatic acceptance', () => {
  it.each([0, 1, 20e9, undefined])('is kept: %s', (maxBytes) => {
    const autoAccept = { directory: '/in', maxBytes }
    const { value, isComplete } = read({ autoAccept })
    expect(isComplete).toBe(true)
    expect(value.contacts[0]?.autoAccept).toEqual(autoAccept)
  })

  it.each(['20GB', -1, 0.5, null, 1e300])('means asking if it is invalid: %s', (maxBytes) => {
    const { value, isComplete } = read({ autoAccept: { directory: '/in', maxBytes } })
    expect(isComplete).toBe(false)
    expect(value.contacts).toMatchObject([{ name: 'Anna', autoAccept: null }])
  })
})

describe('a key that the engine would reject', () => {
  const stray = `${'A'.repeat(42)}B`

  it.each(['publicKey', 'key'])('leaves its contact out: %s', (name) => {
    const value = { own, contacts: [], former: [] }
    expect(read({ [name]: stray })).toEqual({ value, isComplete: false })
  })

  it('is not used as the key of this installation', () => {
    for (const name of ['secret', 'publicKey']) {
      const content = { own: { ...own, [name]: stray }, contacts: [anna] }
      const { value, isComplete } = contactsFormat.decode(content, 1)
      expect(isComplete).toBe(false)
      expect(value).toMatchObject({ own: null, contacts: [{ name: 'Anna' }] })
    }
  })
})
