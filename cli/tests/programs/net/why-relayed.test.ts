/** Which fact each side of a relayed transfer names. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { linesOf } from '../thru'
import { writeTree } from '../tree'
import type { Gate } from './gates'
import { routesOf, Scene } from './scene'
import { startTurnServer, stunOption, turnOption } from './turn-server'

// A computer that is busy with other things may see a direct way, or an address, only when the relay's way was taken.
const mayRepeat = { retry: 2 }

describe.skipIf(process.platform !== 'linux')('why a transfer is relayed', mayRepeat, () => {
  let scene: Scene
  let transfers = 0

  beforeAll(async () => {
    scene = await Scene.open()
    writeTree(scene.at('src'), { 'a.bin': randomBytes(100_000) })
    await startTurnServer(scene.network, scene.folder)
    return () => scene.close()
  })
  afterEach(() => scene.stopPrograms())

  const everything = [...stunOption, ...turnOption('udp'), ...turnOption('tcp')]

  async function reasons(
    gates: readonly [Gate, Gate],
    options: readonly string[],
    joinOptions: readonly string[] = options,
  ) {
    scene.network.setGate('host', gates[0])
    scene.network.setGate('join', gates[1])
    const out = scene.at(`out${(transfers += 1)}`)
    const { sent, received } = await scene.transfer([scene.at('src')], out, options, joinOptions)
    return [routesOf(sent).at(-1)?.why, routesOf(received).at(-1)?.why]
  }

  it('NET-13: is that routers let only answers in, and change ports', async () => {
    expect(await reasons(['symmetric', 'port-restricted'], everything)).toEqual([
      ...['routers', 'routers'],
    ])
  })

  it('is that the network of one side lets no UDP out', async () => {
    expect(await reasons(['no-udp', 'full-cone'], everything)).toEqual([
      ...['own-udp', 'their-address'],
    ])
  })

  it('is that one side hides its address', async () => {
    const hidden = [...everything, '--force-turn']
    expect(await reasons(['full-cone', 'full-cone'], everything, hidden)).toEqual([
      ...['their-choice', 'own-choice'],
    ])
  })

  it('is that nobody told either side its address', async () => {
    const relays = turnOption('tcp')
    expect(await reasons(['port-restricted', 'port-restricted'], relays)).toEqual([
      ...['own-address', 'own-address'],
    ])
  })

  it('stands in what the command says more, and is absent where the way is direct', async () => {
    scene.network.setGate('host', 'symmetric')
    scene.network.setGate('join', 'symmetric')
    const { sender, code } = await scene.hostWithCode([scene.at('src')], everything)
    const out = scene.at(`out${(transfers += 1)}`)
    const { stdout } = await scene.join(code, out, everything).ended
    const connected = linesOf(stdout).find(({ type }) => type === 'connected')
    expect(connected).toMatchObject({ route: { kind: 'relay', why: 'routers' } })
    await sender.stop()
    expect(await reasons(['full-cone', 'full-cone'], everything)).toEqual([undefined, undefined])
  })
})
