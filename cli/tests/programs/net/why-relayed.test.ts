/** Which fact each side of a relayed transfer names. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeTree } from '../tree'
import type { Gate } from './gates'
import { routeOfKind, routesOf, Scene } from './scene'
import { startTurnServer, stunOption, turnOption } from './turn-server'

describe.skipIf(process.platform !== 'linux')('why a transfer is relayed', () => {
  let scene: Scene
  let transfers = 0

  beforeAll(async () => {
    scene = await Scene.open()
    writeTree(scene.at('src'), { 'a.bin': randomBytes(8 * 1024 * 1024) })
    await startTurnServer(scene.network, scene.folder)
    return () => scene.close()
  })
  afterEach(() => scene.stopPrograms())

  const everything = [...stunOption, ...turnOption('udp'), ...turnOption('tcp')]

  /** Expects what each side names at last; `undefined` for a direct route. */
  async function expectReasons(
    reasons: readonly [sent: string | undefined, received: string | undefined],
    gates: readonly [Gate, Gate],
    options: readonly string[],
    joinOptions: readonly string[] = options,
  ) {
    scene.network.setGate('host', gates[0])
    scene.network.setGate('join', gates[1])
    const told = (why: string | undefined) =>
      why === undefined ? routeOfKind('direct') : new RegExp(`"why":"${why}"`)
    const { sent, received } = await scene.transferUntil(
      [told(reasons[0]), told(reasons[1])],
      [scene.at('src')],
      scene.at(`out${(transfers += 1)}`),
      options,
      joinOptions,
    )
    expect([routesOf(sent).at(-1)?.why, routesOf(received).at(-1)?.why]).toEqual(reasons)
  }

  it('NET-13: is that routers let only answers in, and change ports', async () => {
    await expectReasons(['routers', 'routers'], ['symmetric', 'port-restricted'], everything)
  })

  it('is that the network of one side lets no UDP out', { tags: ['full'] }, async () => {
    await expectReasons(['own-udp', 'their-address'], ['no-udp', 'full-cone'], everything)
  })

  it('is that one side hides its address', { tags: ['full'] }, async () => {
    const gates = ['full-cone', 'full-cone'] as const
    const hidden = [...everything, '--relay', 'only']
    await expectReasons(['their-choice', 'own-choice'], gates, everything, hidden)
  })

  it('is that nobody told either side its address', { tags: ['full'] }, async () => {
    const gates = ['port-restricted', 'port-restricted'] as const
    await expectReasons(['own-address', 'own-address'], gates, turnOption('tcp'))
  })

  it('is absent where the route is direct', { tags: ['full'] }, async () => {
    await expectReasons([undefined, undefined], ['full-cone', 'full-cone'], everything)
  })
})
