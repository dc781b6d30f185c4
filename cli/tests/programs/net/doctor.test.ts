/** Results of `thru doctor` with real routers, servers and relays. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CheckName } from '#shared/state/network-check'
import { linesOf } from '../thru'
import { routerAddress, serverAddress } from './network'
import { openScene, scene } from './opened-scene'
import { missingRouter, startRouter } from './real-router'
import type { RouterType } from './router-types'
import { startTwofoldServer, stunOption, turnOption } from './turn-server'

const turnAt = (place: string): readonly string[] => ['--turn-server', `turn:${place}`]

describe.skipIf(process.platform !== 'linux')('thru doctor', () => {
  openScene('IPv4 and IPv6')
  beforeAll(async () => {
    await startTwofoldServer(scene.network, scene.folder)
  })
  afterEach(() => {
    scene.network.setRouter('host', 'open')
    return scene.stopPrograms()
  })

  async function look(options: readonly string[]) {
    const run = await scene.doctor('host', options).ended
    const checks = linesOf(run.stdout)
    const all = (name: CheckName) => checks.filter((check) => check['name'] === name)
    return { ...run, all, one: (name: CheckName) => all(name)[0] }
  }

  type Router = readonly [router: RouterType, verdict: string, facts: object]
  const routers = [
    ['symmetric', 'hard', { mapping: 'port', filtering: 'port' }],
    ['open', 'none', { filtering: 'endpoint' }],
    ['full-cone', 'easy', { filtering: 'endpoint' }],
    ['address-restricted', 'easy', { filtering: 'address' }],
    ['port-restricted', 'easy', { filtering: 'port' }],
  ] as const satisfies readonly Router[]

  async function expectKnown([router, verdict, facts]: Router): Promise<void> {
    scene.network.setRouter('host', router)
    const { one, exitCode } = await look(stunOption)
    expect(one('nat')).toMatchObject({ verdict, facts })
    expect(one('udp')).toMatchObject({ verdict: 'out' })
    expect(one('stun')).toMatchObject({ verdict: 'answers' })
    expect(one('mtu')).toMatchObject({ verdict: 'full', facts: { bytes: 1452 } })
    expect(one('latency')).toMatchObject({ verdict: 'short' })
    expect(one('clock')).toMatchObject({ verdict: 'right' })
    expect(exitCode).toBe(0)
  }

  const title = 'knows a router that is %s, by a server with two addresses'
  it.each(routers.slice(0, 1))(title, (...router) => expectKnown(router))
  it.each(routers.slice(1))(title, { tags: ['full'] }, (...router) => expectKnown(router))

  it('reports IPv6 connectivity and its firewall', { tags: ['full'] }, async () => {
    scene.network.setRouter('host', 'port-restricted')
    const six = ['--stun-server', 'stun:[2001:db8:3::1]:3478']
    const { one } = await look([...stunOption, ...six])
    expect(one('ipv6')).toMatchObject({ verdict: 'works' })
  })

  it('says that UDP is blocked, and which relay still works', async () => {
    scene.network.setRouter('host', 'no-udp')
    const { one, all, exitCode } = await look([
      ...stunOption,
      ...turnOption('udp'),
      ...turnOption('tcp'),
    ])
    expect(one('udp')).toMatchObject({ verdict: 'blocked', state: 'failed' })
    expect(one('nat')).toBeUndefined()
    expect(all('relay')).toMatchObject([
      { verdict: 'silent', facts: { transport: 'UDP' } },
      { verdict: 'works', facts: { transport: 'TCP' } },
    ])
    expect(exitCode).toBe(5)
  })

  it(
    'distinguishes a working relay from a wrong password, a closed port and a server without relays',
    { tags: ['full'] },
    async () => {
      scene.network.setRouter('host', 'port-restricted')
      const { all, stdout, stderr } = await look([
        ...turnOption('udp'),
        ...turnAt(`mina:guess@${serverAddress}:3478`),
        ...turnAt(`mina:guess@${serverAddress}:9?transport=tcp`),
      ])
      expect(all('relay').map(({ verdict }) => verdict)).toEqual(['works', 'password', 'silent'])
      expect(stdout + stderr).not.toMatch(/guess|secret/)
    },
  )

  // The rate depends on this computer; client/tests/network-check/relay-rate.test.ts checks the figure.
  it('measures the speed of relays on request', { tags: ['full'] }, async () => {
    scene.network.setRouter('host', 'port-restricted')
    const { all } = await look([...turnOption('udp'), ...turnOption('tcp'), '--relay-rate'])
    expect(all('relay').map(({ verdict }) => verdict)).toEqual(['works', 'fast', 'works', 'fast'])
    for (const { facts } of all('relay').filter(({ verdict }) => verdict === 'fast')) {
      expect(facts).toMatchObject({ bytesPerSecond: expect.any(Number) as number })
    }
  })

  it('finds the largest datagram on a narrow path', { tags: ['full'] }, async () => {
    scene.network.setLargestPacket('host-router', 1320)
    const { one } = await look(stunOption)
    scene.network.setLargestPacket('host-router', 1500)
    expect(one('mtu')).toMatchObject({ verdict: 'small', facts: { bytes: 1280 } })
  })

  it(
    'detects the port mapping protocols of a router without opening a port',
    { tags: ['full'] },
    async ({ skip }) => {
      const missing = missingRouter()
      skip(missing !== null, missing ?? '')
      expect((await look([])).one('mapping')).toMatchObject({ verdict: 'none' })
      for (const [spoken, protocols] of [
        ['all', ['PCP', 'NAT-PMP', 'UPnP']],
        ['PCP and NAT-PMP', ['PCP', 'NAT-PMP']],
        ['UPnP', ['UPnP']],
      ] as const) {
        const kind = { side: 'host', protocols: spoken } as const
        const router = await startRouter(scene.network, scene.folder, kind)
        const { one } = await look([])
        const log = await router.stop()
        expect(one('mapping')).toMatchObject({ verdict: 'found', facts: { protocols } })
        expect(log).not.toMatch(/AddPortMapping|MAP request|port mapping request/i)
      }
    },
  )

  it('prints a report without complete addresses', async () => {
    scene.network.setRouter('host', 'symmetric')
    const options = [...stunOption, ...turnOption('udp'), '--report']
    const { stdout, exitCode } = await scene.doctor('host', options).ended
    expect(stdout).toMatch(/^Thruflux \d/)
    expect(stdout).toContain('stun:198.18.x.x:3478')
    expect(stdout).not.toContain(serverAddress)
    expect(stdout).not.toContain(routerAddress.host)
    expect(stdout).not.toMatch(/secret|mina/)
    expect(exitCode).toBe(0)
  })
})
