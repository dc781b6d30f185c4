/** Sides that use only relays or none, and their visibility to each other. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashTree, writeTree } from '../../tree'
import { namedRelayAddress } from '../network'
import { openScene, scene } from '../opened-scene'
import { routesOf } from '../scene'
import { startTurnServer, stunOption, turnOption } from '../turn-server'

const secret = 'north-wind-and-the-sun'
const onlyRelays = ['--relay', 'only']
const noRelays = ['--relay', 'never']

describe.skipIf(process.platform !== 'linux')('relays', () => {
  let given: readonly string[]
  let transfers = 0

  openScene()
  beforeAll(async () => {
    writeTree(scene.at('src'), { 'large.bin': randomBytes(3 * 1024 * 1024), 'empty.txt': '' })
    await startTurnServer(scene.network, scene.folder)
    const byTicket = ['--use-auth-secret', `--static-auth-secret=${secret}`]
    const named = { address: namedRelayAddress, port: 3479 } as const
    await startTurnServer(scene.network, scene.folder, byTicket, named)
    writeFileSync(scene.at('secret'), secret)
    const url = `turn:${named.address}:${named.port}`
    given = ['--turn-url', url, '--turn-secret-file', scene.at('secret')]
  })
  beforeEach(() => scene.restartServer())
  afterEach(async () => {
    await scene.stopPrograms()
    scene.network.setDirectPath(true)
  })

  /** Runs a transfer; returns its routes and the number of packets directly from home to home. */
  async function transfer(options: readonly string[], joinOptions: readonly string[]) {
    const count = scene.network.countDirectPackets()
    const out = scene.at(`out${(transfers += 1)}`)
    const { sent, received } = await scene.transfer(
      [scene.at('src')],
      out,
      ['--no-lan', ...options],
      ['--no-lan', ...joinOptions],
    )
    expect([received.exitCode, sent.exitCode], received.stdout + sent.stdout).toEqual([0, 0])
    expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
    const routes = [routesOf(sent).at(-1), routesOf(received).at(-1)]
    const kinds = routes.map((route) => route?.kind)
    return { routes, kinds, directPackets: count('host') + count('join') }
  }

  it.each([
    ['the sender', onlyRelays, []],
    ['the receiver', [], onlyRelays],
  ])('TURN-13: of the server hide the address of %s', async (_, options, joinOptions) => {
    await scene.restartServer(given)
    const { kinds, directPackets } = await transfer(
      [...stunOption, ...options],
      [...stunOption, ...joinOptions],
    )
    expect({ kinds, directPackets }).toEqual({ kinds: ['relay', 'relay'], directPackets: 0 })
  })

  it.each([
    ['sender', noRelays, []],
    ['receiver', [], noRelays],
  ])('TURN-15: are used by neither side if the %s uses none', async (_, options, joinOptions) => {
    await scene.restartServer([...given, '--server-relays', '4'])
    const { kinds } = await transfer(
      [...turnOption(), ...options],
      [...turnOption(), ...joinOptions],
    )
    expect(kinds.map((kind) => kind === 'relay')).toEqual([false, false])
  })
})
