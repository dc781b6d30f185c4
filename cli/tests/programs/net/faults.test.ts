import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { linesOf } from '../thru'
import { hashTree, writeTree } from '../tree'
import { Scene } from './scene'

const MiB = 1024 * 1024

describe.skipIf(process.platform !== 'linux')('a transfer', () => {
  let scene: Scene

  beforeAll(async () => {
    scene = await Scene.open()
    return () => scene.close()
  })
  beforeAll(() => {
    scene.network.setSpeed(200)
    writeTree(scene.at('src'), { 'a.bin': randomBytes(40 * MiB), 'b.bin': randomBytes(40 * MiB) })
  })
  afterEach(async () => {
    await scene.stopPrograms()
    for (const place of ['host', 'host-gate'] as const) scene.network.setLargestPacket(place, 1500)
  })

  it('is interrupted at both ends when the network is gone, and resumes when it is back', async () => {
    const { sender, code } = await scene.hostWithCode([scene.at('src')])
    const receiver = scene.join(code, scene.at('dst'))
    // Enough for a segment of 8 MiB to be whole.
    await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > 24 * MiB)
    scene.network.disconnect('join')
    const brokenAtMs = performance.now()
    expect(await receiver.line('reconnecting')).toMatchObject({ attempt: 1 })
    expect(await sender.line('error')).toMatchObject({ code: 'E_PEER_GONE' })
    expect(performance.now() - brokenAtMs).toBeLessThan(28_000)

    await scene.network.reconnect('join')
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(0)
    const started = linesOf(stdout).filter(({ type }) => type === 'started')
    expect(started.length).toBeGreaterThanOrEqual(2)
    expect(started.at(-1)?.['resumedBytes']).toBeGreaterThan(0)
    expect(hashTree(scene.at('dst', 'src'))).toEqual(hashTree(scene.at('src')))
  })

  it('continues after a short break of the network', async () => {
    const { sender, code } = await scene.hostWithCode([scene.at('src')])
    const receiver = scene.join(code, scene.at('dst-break'))
    expect((await receiver.line('progress'))['bytes']).toBeLessThan(80 * MiB)
    for (const side of ['join', 'host'] as const) {
      scene.network.disconnect(side)
      await scene.network.reconnect(side)
    }
    expect((await receiver.ended).exitCode).toBe(0)
    await sender.line('done')
    expect(hashTree(scene.at('dst-break', 'src'))).toEqual(hashTree(scene.at('src')))
  })

  it.each(['host', 'host-gate'] as const)(
    'continues over the same connection when large packets get no further than the %s',
    async (place) => {
      const { code } = await scene.hostWithCode([scene.at('src')])
      const receiver = scene.join(code, scene.at(`dst-${place}`))
      await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > 16 * MiB)
      scene.network.setLargestPacket(place, 1400)
      const { exitCode, stdout } = await receiver.ended
      expect(exitCode).toBe(0)
      expect(linesOf(stdout).filter(({ type }) => type === 'reconnecting')).toEqual([])
      expect(hashTree(scene.at(`dst-${place}`, 'src'))).toEqual(hashTree(scene.at('src')))
    },
  )

  it('arrives where large packets never fitted', async () => {
    scene.network.setLargestPacket('host', 1400)
    const { received } = await scene.transfer([scene.at('src')], scene.at('dst-narrow'))
    expect(received.exitCode).toBe(0)
    expect(hashTree(scene.at('dst-narrow', 'src'))).toEqual(hashTree(scene.at('src')))
  })

  it('continues when the signaling server dies', async () => {
    const { sender, code } = await scene.hostWithCode([scene.at('src')])
    const receiver = scene.join(code, scene.at('dst-server'))
    expect((await receiver.line('progress'))['bytes']).toBeLessThan(80 * MiB)
    await scene.killServer()
    await sender.line('reconnecting')
    const { exitCode } = await receiver.ended
    expect(exitCode).toBe(0)
    await sender.line('done')
    expect((await sender.stop()).exitCode).toBe(0)
    expect(hashTree(scene.at('dst-server', 'src'))).toEqual(hashTree(scene.at('src')))
  })
})
