/** Relays that crash, lose their clients or throttle, and UDP that becomes blocked, during a transfer. */
import { createHmac, randomBytes } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Line, linesOf } from '../../thru'
import { writeTree } from '../../tree'
import { beginTransfer, expectArrival } from '../begun-transfer'
import { openScene, scene } from '../opened-scene'
import { isLong, networkTestMs, slowMbit } from '../patience'
import { routesOf } from '../scene'
import {
  atOpenPort,
  openPortOption,
  startTurnServer,
  stopTurnServer,
  stunOption,
  turnOption,
} from '../turn-server'

const MiB = 1024 * 1024
const sides = ['host', 'join'] as const

describe.skipIf(process.platform !== 'linux')(
  'a relayed transfer',
  { timeout: networkTestMs },
  () => {
    openScene()
    beforeAll(() => {
      writeTree(scene.at('src'), { 'a.bin': randomBytes(16 * MiB), 'empty.txt': '' })
    })
    beforeEach(() => {
      scene.network.setSpeed(slowMbit)
      scene.network.setDirectPath(false)
    })
    afterEach(async () => {
      await scene.stopPrograms()
      await stopTurnServer()
      scene.network.setDirectPath(true)
      for (const side of sides) scene.network.setRouter(side, 'open')
    })

    const isLookingElsewhere = (line: Line): boolean => line['reason'] === 'relay'

    it(
      'NET-19: continues after its relay has crashed and restarted',
      { tags: ['full'] },
      async () => {
        await startTurnServer(scene.network, scene.folder)
        const begun = await beginTransfer(scene, turnOption())
        await stopTurnServer()
        await begun.receiver.lineWhere('stalled', isLookingElsewhere)
        await begun.sender.lineWhere('stalled', isLookingElsewhere)
        await startTurnServer(scene.network, scene.folder)
        await expectArrival(scene, begun)
      },
    )

    it('NET-19: continues through another relay when its own has crashed', async () => {
      await startTurnServer(scene.network, scene.folder, [], atOpenPort)
      await startTurnServer(scene.network, scene.folder)
      const begun = await beginTransfer(scene, [...turnOption(), ...openPortOption])
      await stopTurnServer()
      const received = await expectArrival(scene, begun)
      const routes = routesOf(received).map(({ relay }) => relay)
      expect(routes.at(-1)).toContain(atOpenPort.address)
    })

    it(
      'NET-12: continues through a relay over TCP when UDP is blocked during a direct transfer',
      { tags: ['full'] },
      async () => {
        await startTurnServer(scene.network, scene.folder)
        scene.network.setDirectPath(true)
        for (const side of sides) scene.network.setRouter(side, 'port-restricted')
        const options = [...stunOption, ...turnOption('udp'), ...turnOption('tcp')]
        const begun = await beginTransfer(scene, options)
        scene.network.setRouter('join', 'no-udp')
        const received = await expectArrival(scene, begun)
        expect(routesOf(received)[0]).toMatchObject({ kind: 'direct' })
        expect(routesOf(received).at(-1)).toMatchObject({ kind: 'relay', transport: 'tcp' })
      },
    )

    describe('with credentials that expire', () => {
      const secret = 'north-wind-and-the-sun'
      const start = (...more: readonly string[]) =>
        startTurnServer(scene.network, scene.folder, [
          ...['--use-auth-secret', `--static-auth-secret=${secret}`, ...more],
        ])

      /** Options with credentials that expire in `seconds`. */
      function expiring(seconds: number): readonly string[] {
        const name = String(Math.floor(Date.now() / 1000) + seconds)
        const password = createHmac('sha1', secret).update(name).digest('base64')
        return turnOption('udp', `${name}:${encodeURIComponent(password)}`)
      }

      // Allocations are refreshed after nine minutes, permissions after four of their five (RFC 8656 section 9).
      it.runIf(isLong)(
        'NET-20: continues when they have expired and are refreshed',
        { tags: ['full'], timeout: 2 * networkTestMs },
        async () => {
          const log = await start('--verbose')
          const expiresAtMs = Date.now() + 20_000
          scene.network.setSpeed(2)
          const begun = await beginTransfer(scene, expiring(20))
          scene.network.setSpeed(0.4)
          await expect.poll(() => Date.now() > expiresAtMs, { timeout: 40_000 }).toBe(true)
          const renewals = () => log().split('CREATE_PERMISSION processed, success').length
          const before = renewals()
          await expect
            .poll(renewals, { timeout: networkTestMs, interval: 1000 })
            .toBeGreaterThan(before)
          const { stdout } = await expectArrival(scene, begun)
          expect(linesOf(stdout).filter(({ type }) => type === 'reconnecting')).toEqual([])
        },
      )
    })
  },
)
