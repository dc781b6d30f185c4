/** The reasons that each side of a relayed transfer reports. */
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeTree } from '../../tree'
import { openScene, scene } from '../opened-scene'
import { routesOf } from '../scene'
import { startTurnServer, stunOption, turnOption } from '../turn-server'

describe.skipIf(process.platform !== 'linux')('why a transfer is relayed', () => {
  openScene()
  beforeAll(async () => {
    writeTree(scene.at('src'), { 'a.bin': randomBytes(8 * 1024 * 1024) })
    await startTurnServer(scene.network, scene.folder)
  })

  it('NET-13: is that routers admit only answers and change ports', async () => {
    scene.network.setRouter('host', 'symmetric')
    scene.network.setRouter('join', 'port-restricted')
    const told = /"why":"routers"/
    const { sent, received } = await scene.transferUntil(
      [told, told],
      [scene.at('src')],
      scene.at('out'),
      [...stunOption, ...turnOption('udp'), ...turnOption('tcp')],
    )
    expect([routesOf(sent).at(-1)?.why, routesOf(received).at(-1)?.why]).toEqual([
      'routers',
      'routers',
    ])
  })
})
