/** Tests that a share knows whether browsers receive at its server. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { waitForState } from '#client/wait-for-state'
import type { Share } from '#shared/state/app-state'
import { folderWithFile, rigWithServer } from '../../rig'

const file = join(folderWithFile(), 'file')
const rig = rigWithServer()

async function opened(): Promise<Share> {
  const { client } = rig.station()
  client.openShare({ items: [{ kind: 'path', path: file }] })
  return waitForState(client, ({ shares: [share] }) => (share?.phase === 'open' ? share : null))
}

it('is true at a server that says so', async () => {
  await rig.stopServer()
  await rig.startServer({ web: 'https://meet.example.org' })
  expect(await opened()).toMatchObject({ web: true })
})

it('is not at another one', async () => {
  expect(await opened()).not.toHaveProperty('web')
})
