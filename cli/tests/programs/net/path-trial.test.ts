/**
 * Transfers that began over a relay and find a direct path beside it: the one that carries more is kept.
 *
 * @module-tag full
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Ending } from '../thru'
import { hashTree, writeTree } from '../tree'
import { isLong } from './patience'
import { routesOf, Scene } from './scene'
import { startTurnServer, turnOption } from './turn-server'

const MiB = 1024 * 1024

describe.skipIf(process.platform !== 'linux')('a direct path beside a relay', () => {
  let scene: Scene

  beforeAll(async () => {
    scene = await Scene.open()
    await startTurnServer(scene.network, scene.folder)
    writeTree(scene.at('src'), { 'a.bin': randomBytes(96 * MiB) })
    return () => scene.close()
  })
  afterEach(() => scene.stopPrograms())

  /** Until the sender knows of the end. */
  async function transfer(target: string): Promise<readonly [sent: Ending, received: Ending]> {
    scene.network.setDirectPath(false)
    const { sender, code } = await scene.hostWithCode([scene.at('src')], turnOption())
    const receiver = scene.join(code, scene.at(target), turnOption())
    await receiver.line('connected')
    scene.network.setDirectPath(true)
    const received = await receiver.ended
    await sender.line('done')
    expect(hashTree(scene.at(target, 'src'))).toEqual(hashTree(scene.at('src')))
    return [await sender.stop(), received]
  }

  const shown = (ending: Ending): readonly string[] =>
    routesOf(ending).map(({ kind, why }) => (why === 'slower-direct' ? why : kind))

  it(
    'is left where the relay carries more, and both sides say so',
    { timeout: 180_000 },
    async () => {
      scene.network.setPathSpeeds({ direct: 4, relay: 50 })
      for (const ending of await transfer('dst-slow')) {
        expect(shown(ending)).toEqual(['relay', 'direct', 'relay', 'slower-direct'])
      }
    },
  )

  it.skipIf(!isLong)(
    'is compared once data comes, where none came before',
    { timeout: 180_000 },
    async () => {
      scene.network.setPathSpeeds({ direct: 4, relay: 50 })
      scene.network.setDirectPath(false)
      execFileSync('mkfifo', [scene.at('pipe')])
      const sender = scene.hostPipe(scene.at('pipe'), turnOption())
      const producer = createWriteStream(scene.at('pipe'))
      const code = String((await sender.line('code'))['code'])
      const receiver = scene.join(code, scene.at('dst-stream'), turnOption())
      await receiver.line('connected')
      scene.network.setDirectPath(true)
      await receiver.line('route-changed')
      producer.end(randomBytes(64 * MiB))
      await once(producer, 'close')
      expect(shown(await receiver.ended)).toEqual(['relay', 'direct', 'relay', 'slower-direct'])
    },
  )

  it('is kept where it carries more', { timeout: 180_000 }, async () => {
    scene.network.setPathSpeeds({ direct: 50, relay: 20 })
    for (const ending of await transfer('dst-fast')) {
      expect(shown(ending)).toEqual(['relay', 'direct'])
    }
  })
})
