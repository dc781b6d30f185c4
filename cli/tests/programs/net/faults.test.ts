import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linesOf, type Thru } from '../thru'
import { hashTree, writeTree } from '../tree'
import { openScene, scene } from './opened-scene'
import { networkTestMs, slowMbit, usualMbit } from './patience'

const MiB = 1024 * 1024

describe.skipIf(process.platform !== 'linux')('a transfer', { timeout: networkTestMs }, () => {
  openScene()
  beforeAll(() =>
    writeTree(scene.at('src'), { 'a.bin': randomBytes(20 * MiB), 'b.bin': randomBytes(20 * MiB) }),
  )
  beforeEach(() => scene.network.setSpeed(slowMbit))
  afterEach(async () => {
    await scene.stopPrograms()
    scene.resumeServer()
    for (const place of ['host', 'host-router'] as const)
      scene.network.setLargestPacket(place, 1500)
  })

  const inTheMiddle = async (receiver: Thru): Promise<void> => {
    await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > 4 * MiB)
  }

  it('NET-05: continues after a short break of the network', async () => {
    const { sender, code } = await scene.hostWithCode([scene.at('src')])
    const receiver = scene.join(code, scene.at('dst-break'))
    await inTheMiddle(receiver)
    for (const side of ['join', 'host'] as const) {
      scene.network.disconnect(side)
      await scene.network.reconnect(side)
    }
    scene.network.setSpeed(usualMbit)
    expect((await receiver.ended).exitCode).toBe(0)
    await sender.line('done')
    expect(hashTree(scene.at('dst-break', 'src'))).toEqual(hashTree(scene.at('src')))
  })

  it.each(['host', 'host-router'] as const)(
    'NET-10: continues over the same connection when large packets are dropped at the %s',
    { tags: ['full'] },
    async (place) => {
      const { code } = await scene.hostWithCode([scene.at('src')])
      const receiver = scene.join(code, scene.at(`dst-${place}`))
      await inTheMiddle(receiver)
      // Otherwise a busy computer could reconnect over the server in the meantime.
      scene.pauseServer()
      scene.network.setLargestPacket(place, 1400)
      scene.network.setSpeed(usualMbit)
      const { exitCode, stdout } = await receiver.ended
      expect(exitCode).toBe(0)
      expect(linesOf(stdout).filter(({ type }) => type === 'reconnecting')).toEqual([])
      expect(hashTree(scene.at(`dst-${place}`, 'src'))).toEqual(hashTree(scene.at('src')))
    },
  )

  it('NET-10: arrives if large packets never fit', { tags: ['full'] }, async () => {
    scene.network.setSpeed(usualMbit)
    scene.network.setLargestPacket('host', 1400)
    const { received } = await scene.transfer([scene.at('src')], scene.at('dst-narrow'))
    expect(received.exitCode).toBe(0)
    expect(hashTree(scene.at('dst-narrow', 'src'))).toEqual(hashTree(scene.at('src')))
  })
})
