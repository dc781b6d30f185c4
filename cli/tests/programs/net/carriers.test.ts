/**
 * Homes behind two routers that translate addresses: their own and their carrier's (CGNAT, RFC 6888).
 *
 * @module-tag full
 */
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashTree, writeTree } from '../tree'
import type { CarrierKind } from './network'
import { openScene, scene } from './opened-scene'
import { isLong } from './patience'
import type { RouterType } from './router-types'
import { routeOfKind, routesOf, type Scene } from './scene'
import { startTurnServer, stunOption, turnOption } from './turn-server'

const options = [...stunOption, ...turnOption()]

async function start(scene: Scene): Promise<void> {
  await startTurnServer(scene.network, scene.folder)
  writeTree(scene.at('src'), { 'note.bin': randomBytes(8 * 1024 * 1024) })
}

let transfers = 0

/** Expects a transfer to end on a route of this kind. */
async function expectWay(scene: Scene, kind: string): Promise<void> {
  const out = scene.at(`dst${(transfers += 1)}`)
  const [sees, src] = [routeOfKind(kind), scene.at('src')]
  const { sent, received } = await scene.transferUntil([sees, sees], [src], out, options)
  expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
  expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
  expect(routesOf(received).at(-1)?.kind).toBe(kind)
}

describe.skipIf(process.platform !== 'linux')('two homes of one carrier', () => {
  openScene('IPv4', ['host', 'join'])
  beforeAll(async () => {
    await start(scene)
  })

  it.each([
    ['sends packets back by their public address', 'hairpin', 'port-restricted', 'direct'],
    ['keeps them apart', 'apart', 'port-restricted', 'relay'],
    ['routes between their networks', 'routes', 'open', 'direct'],
  ] as const satisfies readonly (readonly [string, CarrierKind, RouterType, string])[])(
    'NET-14: connect by the expected route if it %s',
    async (_, carrier, router, way) => {
      scene.network.setCarrier(carrier)
      for (const side of ['host', 'join'] as const) scene.network.setRouter(side, router)
      await expectWay(scene, way)
    },
  )
})

describe.skipIf(process.platform !== 'linux')('a home behind two routers', () => {
  openScene('IPv4', ['host'])
  beforeAll(async () => {
    await start(scene)
  })

  const pairs = [
    ['port-restricted', 'port-restricted', 'direct'],
    ['full-cone', 'symmetric', 'direct'],
    ['symmetric', 'symmetric', 'relay'],
  ] as const
  it.each(pairs.slice(0, isLong ? 3 : 1))(
    'NET-14: out by one that is %s to one that is %s the way is %s',
    async (host, join, way) => {
      scene.network.setCarrier('apart')
      scene.network.setRouter('host', host)
      scene.network.setRouter('join', join)
      await expectWay(scene, way)
    },
  )
})
