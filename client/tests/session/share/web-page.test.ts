/** Tests that a share knows whether browsers receive at its server. */
import { expect, it } from 'vitest'
import { rigWithServer } from '../../rig'
import { openShare, shareOf } from '../../transfers'

const rig = rigWithServer()

async function opened() {
  const { sender } = await openShare(rig.station())
  return shareOf(sender)
}

it('is true at a server that says so', async () => {
  await rig.stopServer()
  await rig.startServer({ web: 'https://meet.example.org' })
  expect(await opened()).toMatchObject({ web: true })
})

it('is not at another one', async () => {
  expect(await opened()).not.toHaveProperty('web')
})
