/** Sides that use only relays, or none, and what each of them lets the other one see. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Ending, linesOf } from '../thru'
import { hashTree, writeTree } from '../tree'
import { namedRelayAddress, serverAddress } from './network'
import { isLong } from './patience'
import { routesOf, Scene } from './scene'
import { startTurnServer, stunOption, turnOption } from './turn-server'

const secret = 'north-wind-and-the-sun'
const onlyRelays = ['--relay', 'only']
const noRelays = ['--relay', 'never']
/** Far less than ICE is given, and than a person waits. */
const promptMs = 15_000

describe.skipIf(process.platform !== 'linux')('relays', () => {
  let scene: Scene
  let given: readonly string[]
  let transfers = 0

  beforeAll(async () => {
    scene = await Scene.open()
    return () => scene.close()
  })
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

  /** A whole transfer: its routes, and how many packets went directly from home to home. */
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
    return { routes, kinds: routes.map((route) => route?.kind), directPackets: count() }
  }

  /** An attempt that connects nobody: what both are told, and how long the receiver waited. */
  async function failure(options: readonly string[], joinOptions: readonly string[]) {
    const { sender, code } = await scene.hostWithCode([scene.at('src')], options)
    const began = Date.now()
    const received = await scene.join(code, scene.at('none'), joinOptions).ended
    const tookMs = Date.now() - began
    const sent = await sender.line('error')
    await sender.stop()
    expect(received.exitCode).toBe(5)
    return { codes: [sent['code'], codeOf(received)], tookMs }
  }

  const codeOf = ({ stdout }: Ending) => linesOf(stdout).at(-1)?.['code']

  it(
    'TURN-13: of the server carry what two hidden sides transfer, again and again',
    { tags: ['full'] },
    async () => {
      await scene.restartServer(given)
      for (let run = 0; run < (isLong ? 10 : 3); run += 1) {
        const { kinds, directPackets } = await transfer(onlyRelays, onlyRelays)
        expect({ run, kinds, directPackets }).toEqual({
          ...{ run, kinds: ['relay', 'relay'], directPackets: 0 },
        })
      }
    },
  )

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
    ['both sides', onlyRelays, onlyRelays],
    ['the sender', onlyRelays, []],
    ['the receiver', [], onlyRelays],
  ])('that are set hide the address of %s', { tags: ['full'] }, async (_, options, joinOptions) => {
    const set = [...stunOption, ...turnOption()]
    const { routes, directPackets } = await transfer([...set, ...options], [...set, ...joinOptions])
    expect(directPackets).toBe(0)
    for (const route of routes) {
      expect(route?.kind).toBe('relay')
      expect(route?.relay.split(':')[0]).toBe(serverAddress)
    }
  })

  it(
    'TURN-14: are missed at once by a side that uses nothing else',
    { tags: ['full'] },
    async () => {
      for (const [options, joinOptions] of [
        [onlyRelays, onlyRelays],
        [[], onlyRelays],
      ] as const) {
        const count = scene.network.countDirectPackets()
        const { codes, tookMs } = await failure(options, joinOptions)
        expect(codes[1]).toBe('E_NO_RELAY')
        expect(tookMs).toBeLessThan(promptMs)
        expect(count()).toBe(0)
      }
    },
  )

  it.each([
    ['sender', noRelays, []],
    ['receiver', [], noRelays],
  ])(
    'TURN-15: are used by neither side where the %s uses none',
    async (_, options, joinOptions) => {
      await scene.restartServer([...given, '--detours', '4'])
      const { kinds } = await transfer(
        [...turnOption(), ...options],
        [...turnOption(), ...joinOptions],
      )
      expect(kinds.map((kind) => kind === 'relay')).toEqual([false, false])
    },
  )

  const refusals = [
    ['sender', noRelays, [], 'E_NOT_DIRECT', 'E_NO_ROUTE'],
    ['receiver', [], noRelays, 'E_NO_ROUTE', 'E_NOT_DIRECT'],
  ] as const
  it.each(refusals.slice(0, isLong ? 2 : 1))(
    'TURN-15: connect nobody where the %s uses none, and it is told so',
    { tags: ['full'] },
    async (_, options, joinOptions, sent, received) => {
      await scene.restartServer([...given, '--detours', '4'])
      scene.network.setDirectPath(false)
      const { codes } = await failure(
        [...turnOption(), ...options],
        [...turnOption(), ...joinOptions],
      )
      expect(codes).toEqual([sent, received])
    },
  )

  it(
    'TURN-15: that one side demands and the other refuses end the attempt at once',
    { tags: ['full'] },
    async () => {
      await scene.restartServer(given)
      const { codes, tookMs } = await failure(onlyRelays, noRelays)
      expect(codes).toEqual(['E_NO_ROUTE', 'E_NOT_DIRECT'])
      expect(tookMs).toBeLessThan(promptMs)
    },
  )

  it(
    'TURN-13: may be the signaling server itself where an address is hidden',
    { tags: ['full'] },
    async () => {
      await scene.restartServer(['--detours', '4'])
      const { routes, directPackets } = await transfer(onlyRelays, onlyRelays)
      expect(routes).toMatchObject([{ detour: true }, { detour: true }])
      expect(directPackets).toBe(0)
    },
  )
})
