/**
 * Transfers through two gates of every kind, over every choice of addresses: those pairs that differ in
 * what they need, and with THRU_LONG_TESTS=1 all of them.
 */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hashTree, writeTree } from '../tree'
import { allFamilies, type Families, type Gate, gates, wayBetween } from './gates'
import { whatIsMissing } from './places'
import { routeOfKind, routesOf, Scene } from './scene'
import { atOpenPort, iceOptions, startTurnServer } from './turn-server'

const MiB = 1024 * 1024

type Pair = readonly [host: Gate, join: Gate]

const isLong = process.env['THRU_LONG_TESTS'] === '1'

const telling: { readonly [families in Families]: readonly Pair[] } = {
  IPv4: [
    ['full-cone', 'symmetric'],
    ['symmetric', 'full-cone'],
    ['address-restricted', 'symmetric'],
    ['symmetric', 'open'],
    ['port-restricted', 'port-restricted'],
    ['port-restricted', 'symmetric'],
    ['symmetric', 'symmetric'],
    ['full-cone', 'no-udp'],
    ['open', 'no-udp'],
    ['no-udp', 'open'],
    ['no-udp', 'symmetric'],
    ['only-443', 'only-443'],
  ],
  IPv6: [
    ['address-restricted', 'port-restricted'],
    ['symmetric', 'symmetric'],
    ['open', 'only-443'],
  ],
  'IPv4 and IPv6': [
    ['symmetric', 'port-restricted'],
    ['no-udp', 'full-cone'],
  ],
}

const allPairs: readonly Pair[] = gates.flatMap((host) => gates.map((join): Pair => [host, join]))

const missing = whatIsMissing()
const unless = missing === null ? '' : ` (skipped: ${missing})`

describe.skipIf(missing !== null).each(allFamilies)(`over %s${unless}`, (families) => {
  let scene: Scene
  let transfers = 0

  beforeAll(async () => {
    scene = await Scene.open(families)
    return () => scene.close()
  })
  beforeAll(async () => {
    await startTurnServer(scene.network, scene.folder)
    await startTurnServer(scene.network, scene.folder, [], atOpenPort)
    writeTree(scene.at('src'), { 'note.bin': randomBytes(8 * MiB) })
  })
  afterEach(() => scene.stopPrograms())

  const pairs = (isLong ? allPairs : telling[families]).map(([host, join]) => ({
    ...{ host, join },
    way: wayBetween(host, join, families),
  }))

  it.each(pairs)('out by $host and in by $join the way is $way', async (pair) => {
    const { host, join, way } = pair
    scene.network.setGate('host', host)
    scene.network.setGate('join', join)
    transfers += 1
    const out = scene.at(`dst${transfers}`)
    const options = iceOptions(scene.network)
    const [sees, src] = [routeOfKind(way), scene.at('src')]
    const { sent, received } = await scene.transferUntil([sees, sees], [src], out, options)
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
    expect([routesOf(sent).at(-1)?.kind, routesOf(received).at(-1)?.kind]).toEqual([way, way])
  })
})
