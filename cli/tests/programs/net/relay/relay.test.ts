/** @module-tag full */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashTree, writeTree } from '../../tree'
import { openScene, scene } from '../opened-scene'
import { startTurnServer, turnOption } from '../turn-server'

const MiB = 1024 * 1024

describe.skipIf(process.platform !== 'linux')('a relayed route', () => {
  openScene()

  it('keeps the allocations of libnice alive', async () => {
    // libnice refreshes an allocation of four seconds after two, and repeats that until it receives
    // the response.
    const log = await startTurnServer(scene.network, scene.folder, [
      '--verbose',
      '--max-allocate-lifetime=4',
    ])
    writeTree(scene.at('src'), { 'large.bin': randomBytes(32 * MiB) })
    const options = [...turnOption(), '--relay', 'only', '--limit-up', '4MiB']
    const { sent, received } = await scene.transfer([scene.at('src')], scene.at('dst'), options)
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(scene.at('dst', 'src'))).toEqual(hashTree(scene.at('src')))
    const refreshes = [...log().matchAll(/session (\d+): refreshed, .*lifetime=[1-9]/g)]
    const sessions = refreshes.map(([, session]) => session)
    for (const session of new Set(sessions)) {
      expect(sessions.filter((each) => each === session).length).toBeLessThan(4)
    }
    expect(new Set(sessions).size).toBe(2)
  })
})
