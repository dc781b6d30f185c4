/** Shares that are scanned before anyone can join. */
import { expect, it } from 'vitest'
import { rigWithServer } from '../../rig'
import { codeOf, items, openShare } from '../../transfers'

const rig = rigWithServer()

const followedLinks = [{ path: 'top/far', target: '/etc/hosts' }]

/** Opens the share, and another one, which reaches the server meanwhile. */
async function open(more: { readonly followLinks?: true; readonly scanOnly?: true }) {
  const sender = rig.station()
  sender.client.openShare({ items, ...more })
  const { session } = await sender.engine.nth('open-share')
  await openShare(rig.station())
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
