import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#shared/state/app-state'
import { type Ending, linesOf } from '../thru'
import { hashTree, writeTree } from '../tree'
import { homeAddress, routerAddress, serverAddress } from './network'
import { openScene, scene } from './opened-scene'
import { routesOf } from './scene'
import { startTurnServer, stunOption, turnOption } from './turn-server'

const MiB = 1024 * 1024

describe.skipIf(process.platform !== 'linux')('the route from home to home', () => {
  let transfers = 0

  openScene()
  beforeAll(async () => {
    await startTurnServer(scene.network, scene.folder)
    writeTree(scene.at('src'), {
      'large.bin': randomBytes(4 * MiB),
      'Übersicht/ノート.md': '# 夏',
      'Übersicht/empty.txt': '',
      nothing: null,
    })
  })
  afterEach(async () => {
    await scene.stopPrograms()
    scene.network.setDirectPath(true)
    for (const side of ['host', 'join'] as const) scene.network.setRouter(side, 'open')
  })

  /** The routes that both ends reported, after all data has arrived. */
  async function routesOfTransfer(options: readonly string[], joinOptions = options) {
    transfers += 1
    const out = scene.at(`dst${transfers}`)
    const { sent, received } = await scene.transfer([scene.at('src')], out, options, joinOptions)
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect([complaints(received), complaints(sent)]).toEqual(['', ''])
    expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
    return { host: summary(routesOf(sent).at(-1)), join: summary(routesOf(received).at(-1)) }
  }

  const complaints = ({ stderr }: Ending) => stderr.replace(/^peak memory: .*\n/gm, '')

  /** The important facts of a route, including its relay or peer. */
  const summary = (route: Route | undefined) => ({
    kind: route?.kind,
    transport: route?.transport,
    via: (route?.kind === 'relay' ? route.relay : route?.remote)?.replace(/:\d+$/, ''),
  })
  const relayed = (transport: string) => ({ kind: 'relay', transport, via: serverAddress })
  const direct = (via: string) => ({ kind: 'direct', transport: 'udp', via })

  it('leads through the relay when there is no direct one', async () => {
    scene.network.setDirectPath(false)
    const routes = await routesOfTransfer(turnOption())
    expect(routes).toEqual({ host: relayed('udp'), join: relayed('udp') })
  })

  it('leads through the relay of one end when the other has none', { tags: ['full'] }, async () => {
    scene.network.setDirectPath(false)
    const routes = await routesOfTransfer([], turnOption())
    expect(routes).toEqual({ host: relayed('udp'), join: relayed('udp') })
  })

  it('leads through the relay if required', async () => {
    const routes = await routesOfTransfer([...turnOption(), '--relay', 'only'])
    expect(routes).toEqual({ host: relayed('udp'), join: relayed('udp') })
  })

  it('NET-11: leads through the relay over TCP if UDP is blocked', async () => {
    for (const side of ['host', 'join'] as const) scene.network.setRouter(side, 'no-udp')
    const routes = await routesOfTransfer([...turnOption(), ...turnOption('tcp')])
    expect(routes).toEqual({ host: relayed('tcp'), join: relayed('tcp') })
  })

  it('leads directly over TCP if UDP is blocked at the home of join', async () => {
    scene.network.setRouter('join', 'no-udp')
    const { host, join } = await routesOfTransfer([])
    expect([host.via, join.via]).toEqual([routerAddress.join, homeAddress.host])
    expect([host.transport, join.transport]).toEqual(['tcp', 'tcp'])
  })

  it(
    'leads directly over TCP if UDP is blocked at the home of host',
    { tags: ['full'] },
    async () => {
      scene.network.setRouter('host', 'no-udp')
      const { host, join } = await routesOfTransfer([])
      const overTcp = { kind: 'direct', transport: 'tcp' }
      expect([host, join]).toMatchObject([overTcp, overTcp])
    },
  )

  it(
    'leads directly through routers that keep ports, with the one STUN server that answers',
    { tags: ['full'] },
    async () => {
      for (const side of ['host', 'join'] as const) scene.network.setRouter(side, 'port-restricted')
      const silent = ['--stun-server', `stun:${serverAddress}:9`]
      const routes = await routesOfTransfer([...silent, ...stunOption])
      expect(routes).toEqual({ host: direct(routerAddress.join), join: direct(routerAddress.host) })
    },
  )

  it(
    'NET-11: is reported as missing at both ends when there is none',
    { tags: ['full'] },
    async () => {
      scene.network.setDirectPath(false)
      const { sender, code } = await scene.hostWithCode([scene.at('src')], stunOption)
      const { exitCode, stdout } = await scene.join(code, scene.at('dst'), stunOption).ended
      expect(exitCode).toBe(5)
      expect(linesOf(stdout).at(-1)).toMatchObject({ type: 'error', code: 'E_NO_ROUTE' })
      expect(await sender.line('error')).toMatchObject({ code: 'E_NO_ROUTE' })
      expect((await sender.stop()).exitCode).toBe(130)
    },
  )
})
