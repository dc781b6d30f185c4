/** Paths that lose or corrupt packets, work in only one direction, or change their addresses. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Route } from '#shared/state/app-state'
import { transportSizes } from '#shared/transport-sizes'
import { linesOf, Thru } from '../thru'
import { hashTree, writeTree } from '../tree'
import { beginTransfer, expectArrival } from './begun-transfer'
import { openScene, scene } from './opened-scene'
import { isLong, networkTestMs, slowMbit, usualMbit } from './patience'
import { routesOf } from './scene'
import { startTurnServer, stunOption } from './turn-server'

const MiB = 1024 * 1024

describe.skipIf(process.platform !== 'linux')('a transfer', { timeout: networkTestMs }, () => {
  openScene('IPv4 and IPv6')
  beforeAll(() => {
    writeTree(scene.at('src'), { 'a.bin': randomBytes(16 * MiB), 'empty.txt': '' })
  })
  beforeEach(() => scene.network.setSpeed(slowMbit))
  afterEach(async () => {
    await scene.stopPrograms()
    scene.resumeServer()
    scene.network.setDirectPath(true)
    scene.network.setRouter('join', 'open')
  })

  const losses = [
    ['NET-03', 'one in a hundred has other bytes'],
    ['NET-02', 'one in five is lost'],
    ['NET-02', 'fifty of each five thousand are lost in a row'],
  ] as const
  it.each(losses.slice(0, isLong ? 3 : 2))(
    '%s: arrives byte for byte if, of all packets, %s',
    async (_, impairment) => {
      const begun = await beginTransfer(scene)
      scene.network.impair(impairment)
      await expectArrival(scene, begun)
    },
  )

  const directions = ['none gets from host to join', 'none gets from join to host'] as const
  it.each(directions.slice(0, isLong ? 2 : 1))(
    'NET-07: waits while, of all packets, %s, and continues after that',
    { tags: ['full'] },
    async (impairment) => {
      const begun = await beginTransfer(scene)
      scene.network.impair(impairment)
      await begun.receiver.lineWhere('stalled', ({ reason }) => reason === 'network')
      scene.network.setDirectPath(true)
      await expectArrival(scene, begun)
    },
  )

  it('NET-15: connects over IPv4 if IPv6 is blocked', { tags: ['full'] }, async () => {
    scene.network.impair('none of IPv6 gets through')
    const begun = await beginTransfer(scene)
    const received = await expectArrival(scene, begun)
    expect(routesOf(received).map(({ family }) => family)).toEqual([4])
  })

  it(
    'NET-15: changes to the other family when its own becomes blocked',
    { tags: ['full'] },
    async () => {
      const begun = await beginTransfer(scene)
      const { family } = (await begun.receiver.line('connected'))['route'] as Route
      scene.network.impair(family === 6 ? 'none of IPv6 gets through' : 'none of IPv4 gets through')
      const received = await expectArrival(scene, begun)
      expect(routesOf(received).at(-1)?.family).toBe(family === 6 ? 4 : 6)
    },
  )

  const marks = [
    'each loses its ECN mark',
    'each is marked by ECN as if it had met a full queue',
  ] as const
  it.each(marks.slice(0, isLong ? 2 : 1))(
    'NET-24: arrives if, of all packets, %s',
    async (impairment) => {
      scene.network.impair(impairment)
      const begun = await beginTransfer(scene)
      await expectArrival(scene, begun)
    },
  )

  async function expectArrivalRefusing(refusal: 'EINVAL' | 'EIO'): Promise<void> {
    const library = scene.at(`no-offload-${refusal}.so`)
    const source = fileURLToPath(new URL('no-offload.c', import.meta.url))
    execFileSync('cc', ['-shared', '-fPIC', `-DREFUSAL=${refusal}`, '-o', library, source])
    vi.stubEnv('LD_PRELOAD', library)
    try {
      const begun = await beginTransfer(scene)
      await begun.sender.line('refused to split')
      await begun.receiver.line('refused to join')
      await expectArrival(scene, begun)
    } finally {
      vi.unstubAllEnvs()
    }
  }

  const title =
    'NET-24: arrives where the system neither joins packets nor splits them, which fails with '
  it(`${title}EINVAL`, () => expectArrivalRefusing('EINVAL'))
  it(`${title}EIO`, { tags: ['full'] }, () => expectArrivalRefusing('EIO'))

  it('NET-24: arrives with small socket buffers', async () => {
    const minBytes = transportSizes.socketBuffers.from
    const setting = 'advanced.socketBuffers'
    await new Thru(['config', 'set', setting, String(minBytes)]).ended
    try {
      const begun = await beginTransfer(scene)
      const [route] = routesOf(await expectArrival(scene, begun))
      expect(route?.buffers?.receive).toBeLessThanOrEqual(minBytes)
    } finally {
      await new Thru(['config', 'unset', setting]).ended
    }
  })
})

describe.skipIf(process.platform !== 'linux')(
  'a transfer through a router',
  { timeout: networkTestMs },
  () => {
    openScene()
    beforeAll(async () => {
      writeTree(scene.at('src'), { 'a.bin': randomBytes(16 * MiB) })
      await startTurnServer(scene.network, scene.folder)
    })

    const ways = [
      ['NET-08, NET-18: over the same connection, without a server,', true],
      ['NET-08: whoever is first, QUIC or the server', false],
    ] as const
    it.each(ways.slice(0, isLong ? 2 : 1))(
      '%s continues when it restarts and assigns another port',
      async (_, isAlone) => {
        scene.network.setSpeed(slowMbit)
        scene.network.setRouter('join', 'symmetric')
        const { code } = await scene.hostWithCode([scene.at('src')], stunOption)
        const out = scene.at(`dst-${String(isAlone)}`)
        const receiver = scene.join(code, out, stunOption)
        await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > 2 * MiB)
        if (isAlone) scene.pauseServer()
        scene.network.forgetMappings('join')
        scene.network.setSpeed(usualMbit)
        const { exitCode, stdout } = await receiver.ended
        scene.resumeServer()
        expect(exitCode).toBe(0)
        const searches = linesOf(stdout).filter(({ type }) => type === 'reconnecting')
        if (isAlone) expect(searches).toEqual([])
        expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
      },
    )
  },
)
