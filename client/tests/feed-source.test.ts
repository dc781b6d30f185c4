import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { readFeedSource } from '#client/update/feed-source'

const key = Buffer.alloc(32, 7).toString('base64')
const at = temporaryFolder()

const feedOf = (feed: unknown, keys: unknown = { keys: [key] }) => {
  writeFileSync(at('update-feed.json'), JSON.stringify(feed))
  writeFileSync(at('update-keys.json'), JSON.stringify(keys))
  return readFeedSource(at())
}

it('a build with an address and a key checks for updates there', () => {
  expect(feedOf({ address: 'https://updates.example.org/thru' })).toEqual({
    address: new URL('https://updates.example.org/thru/'),
    keys: [key],
  })
  expect(feedOf({ address: 'http://127.0.0.1:8000' })).not.toBeNull()
})

it('a build without one of them checks nowhere', () => {
  const address = 'https://updates.example.org/'
  expect(feedOf({ address: '' })).toBeNull()
  expect(feedOf({ address }, { keys: [] })).toBeNull()
  expect(feedOf({ address }, { keys: ['short'] })).toBeNull()
  expect(feedOf({}, {})).toBeNull()
  expect(readFeedSource(at('missing'))).toBeNull()
})

it.each([
  'http://updates.example.org/',
  'http://127.0.0.1.example.org/',
  'http://localhost/',
  'https://user@updates.example.org/',
  'https://updates.example.org/?a',
  'file:///tmp/feed',
  'nowhere',
])('a build with the address %s checks nowhere', (address) => {
  expect(feedOf({ address })).toBeNull()
})

it('this repository names neither an address nor a key', () => {
  expect(readFeedSource(join(__dirname, '../../resources'))).toBeNull()
})
