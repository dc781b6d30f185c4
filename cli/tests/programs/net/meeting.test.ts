/**
 * Two new profiles without a server behind routers of their own. On the internet between them are only public meeting
 * points at TCP port 443 and a STUN server.
 */
import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linesOf } from '../thru'
import { hashTree, writeTree } from '../tree'
import { Authority } from './authority'
import { serverAddress } from './network'
import { missingRelay, type RelayKind, relayKinds, startRelay } from './nostr-relays'
import { openScene, scene } from './opened-scene'
import { allProxyPorts, missingProxy, proxyOption, startProxies } from './real-proxy'
import { routesOf } from './scene'
import { atOpenPort, openPortOption, startTurnServer, stunOption } from './turn-server'

const sides = ['host', 'join'] as const

/** Addresses without a relay: one is silent, one refuses. */
const dead = ['wss://198.18.3.77', `wss://${serverAddress}:444`]

const relayOptions = (urls: readonly string[]): readonly string[] =>
  urls.flatMap((url) => ['--meeting-relay', url])

describe.skipIf(process.platform !== 'linux')('at public meeting points', () => {
  const relays = new Map<RelayKind, string>()

  openScene('IPv4', [], false)
  beforeAll(async () => {
    const authority = new Authority(scene.at('authority'))
    scene.trust(authority.file)
    await startTurnServer(scene.network, scene.folder)
    for (const kind of relayKinds) {
      if (missingRelay(kind) === null) {
        relays.set(kind, await startRelay(scene.network, authority, kind))
      }
    }
    writeTree(scene.at('src'), { 'large.bin': randomBytes(1024 * 1024), 'notes.txt': 'remember' })
  })
  beforeEach(() => {
    for (const side of sides) {
      scene.network.setRouter(side, 'port-restricted')
      scene.network.allowTcp(side, [443])
    }
  })

  /** Options that name all relays, and two that are dead. */
  const allRelays = (): readonly string[] => relayOptions([...dead, ...relays.values()])

  async function routeOf(name: string, options: readonly string[]): Promise<string> {
    const out = scene.at(name)
    const { sent, received } = await scene.transfer([scene.at('src')], out, options)
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
    const route = routesOf(received).at(-1)
    return `${route?.kind ?? ''} ${route?.transport ?? ''}`
  }

  it('two new profiles meet through port-restricted routers, and connect directly', async () => {
    expect(await routeOf('all', [...allRelays(), ...stunOption])).toBe('direct udp')
  })

  it('the relay program in Rust alone is enough', async ({ skip }) => {
    const missing = missingRelay('rust-nostr')
    skip(missing !== null, missing ?? '')
    const options = relayOptions([relays.get('rust-nostr') ?? ''])
    expect(await routeOf('rust', [...options, ...stunOption])).toBe('direct udp')
  })

  it(
    'if nothing but TCP port 443 is open, a relay of their own carries the files',
    { tags: ['full'] },
    async () => {
      for (const side of sides) scene.network.setRouter(side, 'only-443')
      await startTurnServer(scene.network, scene.folder, [], atOpenPort)
      const options = [...allRelays(), ...stunOption, ...openPortOption]
      expect(await routeOf('turn', options)).toBe('relay tcp')
    },
  )

  it('two who met and find no route learn what helps', { tags: ['full'] }, async () => {
    for (const side of sides) scene.network.setRouter(side, 'only-443')
    const options = [...allRelays(), ...stunOption]
    const { sender, code } = await scene.hostWithCode([scene.at('src')], options)
    const { exitCode, stdout } = await scene.join(code, scene.at('none'), options).ended
    expect(exitCode).toBe(5)
    for (const error of [linesOf(stdout).at(-1), await sender.line('error')]) {
      expect(error).toMatchObject({ type: 'error', code: 'E_NO_ROUTE' })
      for (const help of ['same network', 'IPv6', 'router that opens ports', 'TURN server']) {
        expect(JSON.stringify(error)).toContain(help)
      }
    }
  })

  it('through a proxy, if it is the only way out over TCP', async ({ skip }) => {
    const missing = missingProxy('tinyproxy')
    skip(missing !== null, missing ?? '')
    await startProxies(scene.network, 'tinyproxy', scene.folder)
    for (const side of sides) scene.network.allowTcp(side, allProxyPorts)
    const options = [...allRelays(), ...stunOption]
    expect(await routeOf('proxy', [...options, ...proxyOption('tinyproxy')])).toBe('direct udp')
  })
})
