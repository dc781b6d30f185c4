import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ManualClock } from '#client/testing/manual-clock'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { feedOf, signedFeed, TestFeed, testKey } from '#client/testing/update-feed'
import { UpdateStore } from '#client/update/update-store'
import { feedName } from '#shared/update/feed'
import { beginHint, type HintOptions } from '../../report/update-hint'

const day = 24 * 60 * 60 * 1000
const key = testKey()
const name = feedName('stable', process.platform, process.arch)
const at = temporaryFolder()
let feed: TestFeed
let clock: ManualClock
let said: string[]
let store: UpdateStore
beforeEach(async () => {
  feed = new TestFeed()
  const { href } = await feed.listen()
  writeFileSync(at('update-feed.json'), JSON.stringify({ address: href }))
  const keys = { keys: [key.publicKey] }
  writeFileSync(at('update-keys.json'), JSON.stringify(keys))
  clock = new ManualClock()
  said = []
  store = new UpdateStore({ directory: at('state') })
})
afterEach(async () => {
  await feed.close()
})

const begin = (more: Partial<HintOptions> = {}) =>
  beginHint({
    terminal: { note: (line) => said.push(line) },
    ...{ store, clock, version: '1.0.0', resources: at() },
    updates: { automatic: true, channel: 'stable' },
    by: 'person',
    ...more,
  })

it('a known newer version is reported once a day, after the command', async () => {
  await store.change({ found: '1.1.0' })
  await begin()()
  await begin()()
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('1.1.0')
  clock.advance(day)
  await begin()()
  expect(said).toHaveLength(2)
})

it('the same version or an older one is not reported', async () => {
  for (const found of ['1.0.0', '0.9.0', '1.0.0-beta.1']) {
    await store.change({ found })
    await begin()()
  }
  expect(said).toEqual([])
})

it('nothing is reported or requested if updates are turned off', async () => {
  await store.change({ found: '1.1.0' })
  const end = begin({ updates: { automatic: false, channel: 'stable' } })
  clock.advance(day)
  await end()
  expect([said, feed.asked]).toEqual([[], []])
})

it('nothing is reported or requested if the system installs updates', async () => {
  await store.change({ found: '1.1.0' })
  const end = begin({ by: 'system' })
  clock.advance(day)
  await end()
  expect([said, feed.asked]).toEqual([[], []])
})

it('a short command sends no request', async () => {
  const end = begin()
  clock.advance(4999)
  await end()
  clock.advance(day)
  expect(feed.asked).toEqual([])
})

it('a longer command checks for updates, and the next one knows the result', async () => {
  feed.bytes(`/${name}`, signedFeed(name, feedOf(Buffer.from('x'), clock.now()), key))
  const end = begin()
  clock.advance(5000)
  while (store.read().found === null) await new Promise((resolve) => setImmediate(resolve))
  await end()
  expect(said).toHaveLength(1)
  expect(feed.asked).toEqual([`/${name}`])
})

it("a silent feed doesn't delay a command", async () => {
  feed.on(`/${name}`, () => undefined)
  const end = begin()
  clock.advance(5000)
  await feed.wasAsked(`/${name}`)
  await end()
  expect(said).toEqual([])
})
