/**
 * Transfers through two routers of every kind, with every choice of addresses: one pair per kind of route, and in the
 * full tests all pairs.
 */
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashTree, writeTree } from '../tree'
import { openScene, scene } from './opened-scene'
import { whatIsMissing } from './places'
import {
  allFamilies,
  allRouterTypes,
  type Families,
  type RouterType,
  wayBetween,
} from './router-types'
import { routeOfKind, routesOf } from './scene'
import { atOpenPort, iceOptions, startTurnServer } from './turn-server'

const MiB = 1024 * 1024

type Pair = readonly [host: RouterType, join: RouterType]

/** Routes: direct, over a relay, direct over TCP, over a relay's TLS; and over IPv6. */
const telling: { readonly [families in Families]: readonly Pair[] } = {
  IPv4: [
    ['full-cone', 'symmetric'],
    ['symmetric', 'symmetric'],
    ['open', 'no-udp'],
    ['only-443', 'only-443'],
  ],
  IPv6: [
    ['address-restricted', 'port-restricted'],
    ['no-udp', 'address-restricted'],
  ],
  'IPv4 and IPv6': [],
}

const allPairs: readonly Pair[] = allRouterTypes.flatMap((host) =>
  allRouterTypes.map((join): Pair => [host, join]),
)

const missing = whatIsMissing()
const unless = missing === null ? '' : ` (skipped: ${missing})`

describe.skipIf(missing !== null).each(allFamilies)(`over %s${unless}`, (families) => {
  let transfers = 0

  openScene(families)
  beforeAll(async () => {
    await startTurnServer(scene.network, scene.folder)
    await startTurnServer(scene.network, scene.folder, [], atOpenPort)
    writeTree(scene.at('src'), { 'note.bin': randomBytes(8 * MiB) })
  })

  async function expectWay([host, join]: Pair): Promise<void> {
    const way = wayBetween(host, join, families)
    scene.network.setRouter('host', host)
    scene.network.setRouter('join', join)
    transfers += 1
    const out = scene.at(`dst${transfers}`)
    const options = iceOptions(scene.network)
    const [sees, src] = [routeOfKind(way), scene.at('src')]
    const { sent, received } = await scene.transferUntil([sees, sees], [src], out, options)
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
    expect([routesOf(sent).at(-1)?.kind, routesOf(received).at(-1)?.kind]).toEqual([way, way])
  }

  const isTelling = ([host, join]: Pair) =>
    telling[families].some(([one, other]) => one === host && other === join)
  const [first, others] = [allPairs.filter(isTelling), allPairs.filter((pair) => !isTelling(pair))]

  it.each(first)('out by %s and in by %s: the expected route', (...pair) => expectWay(pair))
  it.each(others)('out by %s and in by %s: the expected route', { tags: ['full'] }, (...pair) =>
    expectWay(pair),
  )
})
