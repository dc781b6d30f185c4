/** Shares that are scanned before anyone can join. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { waitForState } from '#client/wait-for-state'
import { folderWithFile, rigWithServer, type Station } from '../../rig'

const path = join(folderWithFile('video.mp4'), 'video.mp4')
const rig = rigWithServer()
const items = [{ kind: 'path', path } as const]

const codeOf = ({ client }: Station): Promise<string> =>
  waitForState(client, ({ shares }) => shares[0]?.code)

const followedLinks = [{ path: 'top/far', target: '/etc/hosts' }]

/** Opens the share, and another one, which reaches the server meanwhile. */
async function open(more: { readonly followLinks?: true; readonly scanOnly?: true }) {
  const sender = rig.station()
  sender.client.openShare({ items, ...more })
  const { session } = await sender.engine.nth('open-share')
  const other = rig.station()
  other.client.openShare({ items })
  await codeOf(other)
  return { sender, session }
}

it('a share that follows links has a code once the user can see which lead out of it', async () => {
  const { sender, session } = await open({ followLinks: true })
  expect(sender.client.snapshot().state.shares).toMatchObject([{ code: null }])
  sender.engine.emit({
    type: 'scan-items',
    session,
    items: [],
    resolved: [],
    followed: 1,
    followedLinks,
  })
  await codeOf(sender)
  expect(sender.client.snapshot().state.shares).toMatchObject([
    { followed: { count: 1, links: followedLinks } },
  ])
})

it('a dry run has no code', async () => {
  const { sender, session } = await open({ followLinks: true, scanOnly: true })
  sender.engine.emit({
    type: 'scan-items',
    session,
    items: [],
    resolved: [],
    followed: 0,
    followedLinks: [],
  })
  expect(sender.client.snapshot().state.shares).toMatchObject([{ code: null, phase: 'opening' }])
})
