import { CancellationToken } from 'builder-util-runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#client/testing/manual-clock'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { feedOf, signedFeed, TestFeed, testKey } from '#client/testing/update-feed'
import { checkForUpdate } from '#client/update/check-for-update'
import { boundRequests, NodeExecutor } from '#client/update/requests'
import { UpdateStore } from '#client/update/update-store'
import { feedName, updateLimits } from '#shared/update/feed'

const at = temporaryFolder()
const key = testKey()
const name = feedName('stable', process.platform, process.arch)
const path = `/${name}`
let feed: TestFeed
let address: URL
let clock: ManualClock
beforeEach(async () => {
  feed = new TestFeed()
  address = await feed.listen()
  clock = new ManualClock()
})
afterEach(async () => {
  await feed.close()
})

const good = (): string => signedFeed(name, feedOf(Buffer.from('x'), clock.now()), key)
const look = () => {
  const executor = new NodeExecutor()
  boundRequests(executor, clock, () => updateLimits.feedBytes)
  return checkForUpdate({
    ...{ source: { address, keys: [key.publicKey] }, channel: 'stable', clock, executor },
    ...{ store: new UpdateStore({ directory: at() }), stop: new CancellationToken() },
  })
}

it('a feed is fetched, also behind redirects', async () => {
  feed.on(path, (_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  feed.bytes('/elsewhere', good())
  expect(await look()).toMatchObject({ ok: true, value: { version: '1.1.0' } })
  expect(clock.delays).toEqual([])
})

describe('UPD-07: a server', () => {
  it('that redirects endlessly is given up', async () => {
    feed.on(path, (_, response) => response.writeHead(302, { location: path }).end())
    const waiting = look()
    await feed.wasAsked(path)
    clock.advance(30_000)
    expect(await waiting).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
  })

  it('that sends an endless feed is cut off', async () => {
    let sent = 0
    feed.on(path, (_, response) => {
      const more = (): void => {
        sent += 10_000
        if (!response.destroyed && sent < 1e9) response.write(' '.repeat(10_000), more)
      }
      more()
    })
    expect(await look()).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(sent).toBeLessThan(100_000_000)
  })

  it('has half a minute for a feed, even if it keeps sending bytes', async () => {
    let isWritten: () => void = () => undefined
    const written = new Promise<void>((resolve) => {
      isWritten = resolve
    })
    feed.on(path, (_, response) => response.write('{', isWritten))
    const slow = look()
    await written
    clock.advance(30_000)
    expect(await slow).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
  })

  it.each([404, 500])('that answers with %i has no feed', async (status) => {
    feed.on(path, (_, response) => response.writeHead(status).end(good()))
    expect(await look()).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
  })

  it('that is missing gives no answer', async () => {
    await feed.close()
    expect(await look()).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
    feed = new TestFeed()
    await feed.listen()
  })
})
