import { expect, it } from 'vitest'
import type { EngineCommand } from '#client/engine'
import type { PortWatcher } from '#client/engine-link'
import { PortMapper } from '#client/port-mapping/port-mapper'
import type { Mapping, MappingProtocol } from '#client/port-mapping/router'
import { ManualClock } from '#client/testing/manual-clock'

const own = '192.168.1.7'
const port = { address: own, port: 40_000 }
const granted: Mapping = { address: '203.0.113.7', port: 50_000, lifetimeSeconds: 1200 }
const server = 'wss://signal.example'

/** Waits for everything that depends only on promises. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 50; turns += 1) await Promise.resolve()
}

/** A mapper with a router that returns `grant`. */
function rig({ isWanted = true, outside = null as string | null } = {}) {
  const clock = new ManualClock()
  const commands: EngineCommand[] = []
  const calls: string[] = []
  const state = {
    ...{ grant: granted as Mapping | null, finds: 0, own, isWanted },
    ...{ answer: Promise.resolve(), farewell: Promise.resolve() },
    name: 'PCP' as MappingProtocol['name'],
  }
  const newProtocol = (): MappingProtocol => ({
    ...{ name: state.name, outside },
    map: (wanted, before) => {
      calls.push(`map ${wanted}${before === null ? '' : ` as ${before.port}`}`)
      return state.answer.then(() => state.grant)
    },
    unmap: (wanted) => {
      calls.push(`unmap ${wanted}`)
      return state.farewell
    },
  })
  const mapper = new PortMapper({
    clock,
    engine: {
      watchPorts: (_watcher: PortWatcher) => undefined,
      post: (command) => {
        commands.push(command)
        return null
      },
    },
    find: () => {
      state.finds += 1
      const place = { gateway: '192.168.1.1', own: state.own, clock }
      return Promise.resolve({
        place,
        protocols: [Promise.resolve(null), Promise.resolve(newProtocol())],
      })
    },
    isWanted: () => state.isWanted,
  })
  const answers = () =>
    commands.map((each) => (each.type === 'add-mapping' ? each.mapped : undefined))
  return { clock, state, calls, mapper, answers }
}

it('maps a port when it is opened, and deletes the mapping when it is closed', async () => {
  const { mapper, calls, answers, state } = rig()
  mapper.onSession(server)
  mapper.onOpened(port, server)
  await settle()
  expect(answers()).toEqual([{ address: '203.0.113.7', port: 50_000 }])
  mapper.onClosed(port)
  await settle()
  expect(calls).toEqual(['map 40000', 'unmap 40000'])
  expect(state.finds).toBe(1)
})

it('searches for the router when a session begins, but not again for each port', async () => {
  const { mapper, state, answers } = rig()
  mapper.onSession(server)
  expect(state.finds).toBe(1)
  for (const each of [1, 2, 3]) mapper.onOpened({ ...port, port: each }, server)
  await settle()
  expect(state.finds).toBe(1)
  expect(answers()).toHaveLength(3)
})

it('asks no router if unwanted, for servers of this network, or for an ended session', async () => {
  const unwanted = rig({ isWanted: false })
  unwanted.mapper.onSession(server)
  unwanted.mapper.onOpened(port, server)
  const wanted = rig()
  const near = ['ws://127.0.0.1:1', 'ws://192.168.1.5:8443', 'ws://[::1]:1', 'ws://nas.local']
  for (const each of near) {
    wanted.mapper.onSession(each)
    wanted.mapper.onOpened(port, each)
  }
  wanted.mapper.onOpened(port, null)
  await settle()
  expect([unwanted.state.finds, wanted.state.finds]).toEqual([0, 0])
  expect(unwanted.answers()).toEqual([null])
  expect(wanted.answers()).toEqual([null, null, null, null, null])
})

it('asks for a public server, also by an IPv6 address', async () => {
  const { mapper, calls } = rig()
  mapper.onOpened(port, 'wss://[2606:4700::1]/v1')
  await settle()
  expect(calls).toEqual(['map 40000'])
})

it.each(['wss://host:99999', 'ws://[', ''])(
  'does not ask for "%s", which is not a server',
  async (odd) => {
    const { mapper, answers, state } = rig()
    mapper.onSession(odd)
    mapper.onOpened(port, odd)
    await settle()
    expect(answers()).toEqual([null])
    expect(state.finds).toBe(0)
  },
)

it('answers the engine even if asking the router fails', async () => {
  const { mapper, answers, state } = rig()
  state.answer = Promise.reject(new URIError('URI malformed'))
  mapper.onOpened(port, server)
  await settle()
  expect(answers()).toEqual([null])
})

it('maps no port of an address without a route to the router', async () => {
  const { mapper, calls, answers } = rig()
  mapper.onOpened({ address: '10.8.0.2', port: 40_000 }, server)
  await settle()
  expect(calls).toEqual([])
  expect(answers()).toEqual([null])
})

it('renews a mapping unchanged before it ends', async () => {
  const { mapper, calls, clock } = rig()
  mapper.onOpened(port, server)
  await settle()
  expect(clock.delays).toEqual([600_000])
  clock.advance(600_000)
  await settle()
  expect(calls).toEqual(['map 40000', 'map 40000 as 50000'])
  expect(clock.delays).toEqual([600_000])
})

it('tries three times to renew a mapping, and then gives up', async () => {
  const { mapper, calls, clock, state } = rig()
  mapper.onOpened(port, server)
  await settle()
  state.grant = null
  clock.advance(600_000)
  await settle()
  for (let times = 0; times < 10; times += 1) {
    clock.advance(30_000)
    await settle()
  }
  expect(clock.delays).toEqual([])
  expect(calls.length).toBeLessThanOrEqual(1 + 2 * 3)
})

it('renews a short lease after half of it, and a long one no later', async () => {
  const { mapper, clock, state } = rig()
  state.grant = { ...granted, lifetimeSeconds: 300 }
  mapper.onOpened(port, server)
  state.grant = { ...granted, lifetimeSeconds: 300 }
  await settle()
  expect(clock.delays).toEqual([150_000])
  state.grant = { ...granted, lifetimeSeconds: 0xff_ff_ff_ff }
  clock.advance(150_000)
  await settle()
  expect(clock.delays).toEqual([600_000])
})

it.each([
  ['a private address', { ...granted, address: '192.168.0.2' }],
  ["an address of a provider's NAT", { ...granted, address: '100.64.3.4' }],
  ['no address', { ...granted, address: '0.0.0.0' }],
  ['an address of many', { ...granted, address: '224.0.0.1' }],
  ['a port of services', { ...granted, port: 443 }],
  ['a lease of a moment', { ...granted, lifetimeSeconds: 30 }],
])('rejects a mapping with %s, deletes it, and pauses for ten minutes', async (_, grant) => {
  const { mapper, calls, answers, clock, state } = rig()
  state.grant = grant
  mapper.onOpened(port, server)
  await settle()
  mapper.onOpened({ ...port, port: 41_000 }, server)
  await settle()
  expect(answers()).toEqual([null, null])
  expect(calls).toEqual(['map 40000', 'unmap 40000'])
  clock.advance(600_000)
  state.grant = granted
  mapper.onOpened({ ...port, port: 42_000 }, server)
  await settle()
  expect(answers()[2]).toEqual({ address: '203.0.113.7', port: 50_000 })
})

it('does not ask a router that is behind another one', async () => {
  const { mapper, calls, answers } = rig({ outside: '10.1.2.3' })
  mapper.onOpened(port, server)
  await settle()
  expect(calls).toEqual([])
  expect(answers()).toEqual([null])
})

it('searches for the router again when it no longer maps', async () => {
  const { mapper, state, calls } = rig()
  mapper.onOpened(port, server)
  await settle()
  state.grant = null
  mapper.onOpened({ ...port, port: 41_000 }, server)
  await settle()
  expect(state.finds).toBe(2)
  expect(calls).toEqual(['map 40000', 'map 41000', 'map 41000'])
})

it('maps again in another network, once it has settled', async () => {
  const { mapper, state, calls, clock } = rig()
  mapper.onOpened(port, server)
  await settle()
  mapper.onNetworkChange()
  mapper.onNetworkChange()
  clock.advance(1000)
  await settle()
  expect(state.finds).toBe(2)
  expect(calls).toEqual(['map 40000', 'map 40000 as 50000'])
})

it('deletes the mapping of a replaced protocol if it is elsewhere', async () => {
  const { mapper, state, calls, clock } = rig()
  mapper.onOpened(port, server)
  await settle()
  state.name = 'UPnP'
  state.grant = { ...granted, port: 50_001 }
  mapper.onNetworkChange()
  clock.advance(1000)
  await settle()
  expect(calls).toEqual(['map 40000', 'map 40000 as 50000', 'unmap 40000'])
})

it('deletes a mapping instead of renewing it once it is unwanted', async () => {
  const { mapper, state, calls, clock } = rig()
  mapper.onOpened(port, server)
  await settle()
  state.isWanted = false
  clock.advance(600_000)
  await settle()
  expect(calls).toEqual(['map 40000', 'unmap 40000'])
  expect(clock.delays).toEqual([])
})

it('waits at its end for deletions, at most two seconds', async () => {
  const { mapper, state, clock } = rig()
  mapper.onOpened(port, server)
  await settle()
  state.farewell = new Promise(() => undefined)
  mapper.onClosed(port)
  await settle()
  let isClosed = false
  const closed = mapper.close().then(() => (isClosed = true))
  await settle()
  expect(isClosed).toBe(false)
  clock.advance(2000)
  await closed
})

it('maps at most 64 ports at a time', async () => {
  const { mapper, answers } = rig()
  for (let each = 0; each < 70; each += 1) mapper.onOpened({ ...port, port: 2000 + each }, server)
  await settle()
  expect(answers().filter((mapped) => mapped === null)).toHaveLength(6)
  expect(answers()).toHaveLength(70)
})

it('does not wait at its end for a search, and asks that router nothing', async () => {
  const { mapper, calls } = rig()
  mapper.onOpened(port, server)
  await mapper.close()
  await settle()
  expect(calls).toEqual([])
})

it('deletes all mappings at its end, including pending ones, and asks nothing more', async () => {
  const { mapper, calls, answers, state } = rig()
  mapper.onOpened(port, server)
  await settle()
  let answer = (): void => undefined
  state.answer = new Promise((resolve) => (answer = resolve))
  mapper.onOpened({ ...port, port: 41_000 }, server)
  await settle()
  const closed = mapper.close()
  answer()
  await closed
  expect([...calls].sort()).toEqual(['map 40000', 'map 41000', 'unmap 40000', 'unmap 41000'])
  mapper.onOpened({ ...port, port: 42_000 }, server)
  await settle()
  expect(calls).toHaveLength(4)
  expect(answers().at(-1)).toBeNull()
})
