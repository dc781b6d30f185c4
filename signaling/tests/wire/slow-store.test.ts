/** Clients of a slow or failing store. */
import { expect, it, onTestFinished } from 'vitest'
import { InMemoryAllowances, type Wanted } from '#signaling/limits/allowances'
import { MemoryStore } from '#signaling/rooms/memory-store'
import { inMemoryState, type StateFactory } from '#signaling/rooms/shared-state'
import { StoreError } from '#signaling/rooms/store-error'
import { startTestServer, type TestClient } from './test-server.ts'

const body = 'A'.repeat(8192)
const nobody = '0123456789abcdef'

/** A store that holds back changes until the test releases them. */
class WaitingStore extends MemoryStore {
  #isReleased = Promise.resolve()
  /** Starts the changes that `hold` has delayed. */
  release: () => void = () => undefined

  hold(): void {
    this.#isReleased = new Promise((resolve) => (this.release = resolve))
    onTestFinished(() => this.release())
  }

  override async update(...change: Parameters<MemoryStore['update']>) {
    await this.#isReleased
    return super.update(...change)
  }
}

function relays(client: TestClient, count: number): void {
  for (let sent = 0; sent < count; sent += 1) client.send({ t: 'relay', to: nobody, body })
}

it('rests the nameplate of a host that left and disconnected before its message was processed', async () => {
  const store = new WaitingStore()
  const server = await startTestServer({ store })
  const { client } = await server.host()
  store.hold()
  relays(client, 1)
  client.send({ t: 'leave' })
  client.socket.close()
  await expect.poll(() => server.log.some(({ event }) => event === 'closed')).toBe(true)
  store.release()
  const phases = async () => (await store.usage()).phases
  await expect.poll(phases).toEqual({ hosted: 0, absent: 0, resting: 1 })
})

it('ends a client at its limit of waiting bytes', async () => {
  const store = new WaitingStore()
  const server = await startTestServer({ store })
  const { client } = await server.host()
  store.hold()
  relays(client, 32)
  expect((await client.next('error')).code).toBe('E_RATE_LIMITED')
  expect(await client.closed).toBe(4006)
})

it('stops counting a message once it is processed', async () => {
  const store = new WaitingStore()
  const server = await startTestServer({ store })
  const { client } = await server.host()
  for (let turn = 0; turn < 2; turn += 1) {
    store.hold()
    relays(client, 20)
    await client.processed()
    store.release()
    for (let answer = 0; answer < 20; answer += 1) {
      expect((await client.next('error')).code).toBe('E_PEER_GONE')
    }
  }
})

it('counts waiting messages towards the global limit', async () => {
  const store = new WaitingStore()
  const server = await startTestServer({ store, maxHeldBytes: 1024 * 1024 })
  const hosts = await Promise.all(Array.from({ length: 5 }, () => server.host()))
  store.hold()
  for (const { client } of hosts) relays(client, 28)
  await Promise.all(hosts.map(({ client }) => client.processed()))
  server.clock.advance(1000)
  await expect.poll(() => server.log.some(({ event }) => event === 'closed')).toBe(true)
  // Its waiting messages are dropped with it.
  server.clock.advance(1000)
  const cuts = server.log.filter(({ event }) => event === 'heaviest-cut')
  expect(cuts).toEqual([{ event: 'heaviest-cut', sockets: 1 }])
})

it('counts effects that wait for the decision about relays', async () => {
  /** Never answers requests for relays. */
  class WaitingAllowances extends InMemoryAllowances {
    override take(wanted: readonly Wanted[]) {
      const isGrant = wanted.some(({ action }) => action === 'grants')
      return isGrant ? new Promise<boolean>(() => undefined) : super.take(wanted)
    }
  }
  const state: StateFactory = (node) => {
    const allowances = new WaitingAllowances(node.rules.allowances, node.clock)
    return { ...inMemoryState()(node), allowances }
  }
  const turn = { turnUrls: ['turn:relay.example'], turnSecret: 'north-wind-and-the-sun' }
  const server = await startTestServer({ state, maxHeldBytes: 1024 * 1024, ...turn })
  const { client: host, nameplate } = await server.host()
  for (let count = 0; count < 20; count += 1) {
    const joiner = await server.connect()
    joiner.send({ t: 'join', v: 1, nameplate })
    const { peer: to } = await joiner.next('joined')
    if (count === 0) host.send({ t: 'grant', peer: (await host.next('peer')).peer })
    await host.processed()
    for (let sent = 0; sent < 7; sent += 1) joiner.send({ t: 'relay', to, body })
    await joiner.processed()
  }
  server.clock.advance(1000)
  const cuts = server.log.filter(({ event }) => event === 'heaviest-cut')
  expect(cuts).toEqual([{ event: 'heaviest-cut', sockets: 1 }])
})

it('uses up no guess for a join that the store failed to answer', async () => {
  const store = new MemoryStore()
  const server = await startTestServer({ store })
  const { nameplate } = await server.host()
  const { update } = store
  store.update = () => Promise.reject(new StoreError('unreachable'))
  for (let turn = 0; turn < 12; turn += 1) {
    const client = await server.connect()
    client.send({ t: 'join', v: 1, nameplate })
    expect((await client.next('error')).code).toBe('E_SERVER_BUSY')
  }
  store.update = update
  const client = await server.connect()
  client.send({ t: 'join', v: 1, nameplate })
  await client.next('joined')
})
