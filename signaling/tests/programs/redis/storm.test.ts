/**
 * Nodes that are killed and restarted in turn while shares run.
 *
 * @module-tag full
 */
import { describe, expect, it, onTestFinished } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import type { TestClient } from '../../wire/test-server.ts'
import { ServerProcess } from '../server-process.ts'
import { redisMissing, redisProgram, RedisServer } from './redis-server.ts'

const limits = {
  THRU_SESSION_CREATES_BURST: '1000',
  THRU_JOINS_BURST: '10000',
  THRU_JOINS_PER_MIN: '10000',
}

/** A sender that reconnects to any running node whenever it loses its socket. */
class Sender {
  readonly #owner = new OwnerKey()
  readonly #nodes: () => readonly ServerProcess[]
  #client: TestClient | null = null
  #hasEnded = false
  /** Every nameplate that it has had. */
  readonly nameplates = new Set<string>()
  /** Every peer that it was introduced to, including duplicates. */
  readonly peers: string[] = []
  #turn = 0

  constructor(nodes: () => readonly ServerProcess[]) {
    this.#nodes = nodes
  }

  end(): void {
    this.#hasEnded = true
    this.#client?.socket.terminate()
  }

  async run(): Promise<void> {
    while (!this.#hasEnded) {
      const nodes = this.#nodes()
      this.#turn += 1
      const node = nodes[this.#turn % nodes.length]
      try {
        const client = await node?.connect()
        if (client !== undefined) await this.#host(client)
      } catch {
        // The node has just been killed.
      }
    }
  }

  async #host(client: TestClient): Promise<void> {
    this.#client = client
    const lost = client.closed.then(() => null)
    const [nameplate = ''] = this.nameplates
    client.hostAs(this.#owner, nameplate === '' ? {} : { nameplate })
    for (;;) {
      const message = await Promise.race([client.receive(), lost])
      if (message === null || this.#hasEnded) return
      if (message.t === 'hosted') this.nameplates.add(message.nameplate)
      if (message.t === 'peer') this.peers.push(message.peer)
    }
  }
}

/** The result of a join; `null` without an answer. */
async function join(node: ServerProcess | undefined, nameplate: string): Promise<string | null> {
  try {
    const joiner = await node?.connect()
    if (joiner === undefined) return null
    joiner.send({ t: 'join', v: 1, nameplate })
    const answer = await Promise.race([joiner.receive(), joiner.closed.then(() => null)])
    joiner.socket.terminate()
    return answer === null ? null : answer.t
  } catch {
    return null
  }
}

describe.skipIf(redisProgram === null)(
  `a service whose nodes die all the time${redisMissing}`,
  () => {
    it('loses no share and sends nothing twice', async () => {
      const redis = await RedisServer.start()
      const start = () => ServerProcess.start([], { ...limits, REDIS_URL: redis.url })
      const nodes = [await start(), await start(), await start()]
      const senders = Array.from({ length: 20 }, () => new Sender(() => nodes))
      onTestFinished(() => senders.forEach((sender) => sender.end()))
      for (const sender of senders) void sender.run()
      const codes = () => senders.map(({ nameplates }) => [...nameplates][0] ?? '')
      await expect.poll(() => codes().every((code) => code !== '')).toBe(true)

      for (let round = 0; round < 9; round += 1) {
        const victim = round % 3
        const joins = codes().map((code, index) => join(nodes[index % 3], code))
        await nodes[victim]?.kill()
        nodes[victim] = await start()
        await Promise.all(joins)
      }

      expect(senders.map(({ nameplates }) => nameplates.size)).toEqual(senders.map(() => 1))
      for (const [index, sender] of senders.entries()) {
        const before = sender.peers.length
        // Until a node's death is noticed, a joiner may be introduced to a host that is gone.
        const met = async () => {
          await join(nodes[index % 3], codes()[index] ?? '')
          return sender.peers.length > before
        }
        await expect.poll(met, { timeout: 60_000, interval: 500 }).toBe(true)
      }
      const told = senders.flatMap(({ peers }) => peers)
      expect(new Set(told).size).toBe(told.length)
      expect(new Set(codes()).size).toBe(senders.length)
    })
  },
)
