/** Transfers between homes with closed routers, one of which maps ports on request. */
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { exitCodes } from '../../../exit-codes'
import { hashTree, writeTree } from '../tree'
import type { Side } from './network'
import { openScene, scene } from './opened-scene'
import { whatIsMissing } from './places'
import { missingRouter, type RouterKind, startRouter } from './real-router'
import type { RouterType } from './router-types'
import { routesOf, type Scene } from './scene'
import { startTurnServer, stunOption, turnOption } from './turn-server'

const missing = whatIsMissing() ?? missingRouter()
const unless = missing === null ? '' : ` (skipped: ${missing})`

describe.skipIf(missing !== null)(`a router that maps ports${unless}`, () => {
  let transfers = 0

  openScene()
  beforeAll(async () => {
    await startTurnServer(scene.network, scene.folder)
    writeTree(scene.at('src'), { 'note.bin': randomBytes(100_000) })
  })

  /** Runs a transfer through these routers, one of which maps ports; returns the number of mappings. */
  async function transfer(
    routers: { readonly [side in Side]: RouterType },
    kind: RouterKind,
    options: readonly string[] = [],
  ) {
    for (const side of ['host', 'join'] as const) scene.network.setRouter(side, routers[side])
    const router = await startRouter(scene.network, scene.folder, kind)
    transfers += 1
    const out = scene.at(`dst${transfers}`)
    const all = [...stunOption, ...options]
    let ends: Awaited<ReturnType<Scene['transfer']>>
    // A busy computer's router may answer too late, and then there is no route.
    do ends = await scene.transfer([scene.at('src')], out, all)
    while (ends.received.exitCode === exitCodes.noRoute)
    const { sent, received } = ends
    const left = router.mapped()
    const log = await router.stop()
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
    const kinds = [sent, received].map((each) => routesOf(each).at(-1)?.kind)
    return { kinds, left, log }
  }

  // Without a relay, which a busy computer could find first.
  it.each([
    ['symmetric', 'port-restricted', 'host', 'all'],
    ['symmetric', 'port-restricted', 'join', 'PCP and NAT-PMP'],
    ['symmetric', 'symmetric', 'host', 'UPnP'],
    ['symmetric', 'symmetric', 'join', 'all'],
  ] as const)(
    'lets a %s and a %s router connect directly, at the %s by %s, and nothing stays mapped',
    async (host, join, side, protocols) => {
      const { kinds, left } = await transfer({ host, join }, { side, protocols })
      expect(kinds).toEqual(['direct', 'direct'])
      expect(left).toBe(0)
    },
  )

  it('is not asked without network.portMapping, and the route is the relay', async () => {
    const routers = { host: 'symmetric', join: 'symmetric' } as const
    const kind = { side: 'host', protocols: 'all' } as const
    const { kinds, log } = await transfer(routers, kind, [
      ...turnOption(),
      '--set',
      'network.portMapping=no',
    ])
    expect(kinds).toEqual(['relay', 'relay'])
    expect(log).not.toMatch(/PCP request|NAT-PMP request|M-SEARCH/)
  })
})
