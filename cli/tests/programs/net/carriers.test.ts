/** Homes behind two routers that translate addresses: their own, and one of their carrier (CGNAT, RFC 6888). */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hashTree, writeTree } from '../tree'
import type { Gate } from './gates'
import type { CarrierKind } from './network'
import { isLong } from './patience'
import { routesOf, Scene } from './scene'
import { startTurnServer, stunOption, turnOption } from './turn-server'

const options = [...stunOption, ...turnOption()]
// A computer that is busy with other things may see a direct way only when the relay's was taken.
const mayRepeat = { retry: 2 }

async function start(scene: Scene): Promise<void> {
  await startTurnServer(scene.network, scene.folder)
  writeTree(scene.at('src'), { 'note.bin': randomBytes(100_000) })
}

let transfers = 0

/** The kind of the way that a transfer took at last. */
async function wayOf(scene: Scene): Promise<string | undefined> {
  const out = scene.at(`dst${(transfers += 1)}`)
  const { sent, received } = await scene.transfer([scene.at('src')], out, options)
  expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
  expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
  return routesOf(received).at(-1)?.kind
}

describe.skipIf(process.platform !== 'linux')('two homes of one carrier', () => {
  let scene: Scene

  beforeAll(async () => {
    scene = await Scene.open('IPv4', ['host', 'join'])
    await start(scene)
    return () => scene.close()
  })
  afterEach(() => scene.stopPrograms())

  it.each([
    ['sends packets back by their public address', 'hairpin', 'port-restricted', 'direct'],
    ['keeps them apart', 'apart', 'port-restricted', 'relay'],
    ['routes between their networks', 'routes', 'open', 'direct'],
  ] as const satisfies readonly (readonly [string, CarrierKind, Gate, string])[])(
    'NET-14: which %s have the way that there is',
    mayRepeat,
    async (_, carrier, gate, way) => {
      scene.network.setCarrier(carrier)
      for (const side of ['host', 'join'] as const) scene.network.setGate(side, gate)
      expect(await wayOf(scene)).toBe(way)
    },
  )
})

describe.skipIf(process.platform !== 'linux')('a home behind two routers', () => {
  let scene: Scene

  beforeAll(async () => {
    scene = await Scene.open('IPv4', ['host'])
    await start(scene)
    return () => scene.close()
  })
  afterEach(() => scene.stopPrograms())

  const pairs = [
    ['port-restricted', 'port-restricted', 'direct'],
    ['full-cone', 'symmetric', 'direct'],
    ['symmetric', 'symmetric', 'relay'],
  ] as const
  it.each(pairs.slice(0, isLong ? 3 : 1))(
    'NET-14: out by one that is %s to one that is %s the way is %s',
    mayRepeat,
    async (host, join, way) => {
      scene.network.setCarrier('apart')
      scene.network.setGate('host', host)
      scene.network.setGate('join', join)
      expect(await wayOf(scene)).toBe(way)
    },
  )
})
