/** Several nodes in one process that share a real Redis. */
import { systemClock } from '#signaling/clock'
import type { Timings } from '#signaling/redis/member'
import { redisState } from '#signaling/redis/state'
import type { SignalingServerOptions } from '#signaling/server'
import { type MonitoredServer, startMonitoredServer } from '../../wire/monitored-server.ts'
import type { TestClient } from '../../wire/test-server.ts'

/** Shorter than in a service, but long enough not to declare a node of a busy computer dead. */
export const shortTimings: Partial<Timings> = {
  answerMs: 1500,
  retryMs: 200,
  leaseMs: 5000,
  renewMs: 200,
}

/** A node on real time, which ends with the test. */
export const startNode = (
  url: string,
  options: SignalingServerOptions = {},
  timings: Partial<Timings> = shortTimings,
): Promise<MonitoredServer> =>
  startMonitoredServer({ clock: systemClock, state: redisState(url, { timings }), ...options })

/** A socket that hosts on this node as `owner`, or without an owner. */
export async function hostAt(
  node: MonitoredServer,
  owner?: Parameters<TestClient['hostAs']>[0],
  more: { readonly nameplate?: string } = {},
) {
  const client = await node.connect()
  if (owner === undefined) client.send({ t: 'host', v: 1, key: client.key, ...more })
  else client.hostAs(owner, more)
  const { nameplate } = await client.next('hosted')
  return { client, nameplate }
}

/** Pairs a joiner on one node with a host on the same or another node. */
export async function pairAt(
  node: MonitoredServer,
  { client: host, nameplate }: { readonly client: TestClient; readonly nameplate: string },
) {
  const joiner = await node.connect()
  joiner.send({ t: 'join', v: 1, nameplate, key: joiner.key })
  const { peer: hostId } = await joiner.next('joined')
  const { peer: joinerId } = await host.next('peer')
  return { joiner, hostId, joinerId }
}

/** The error in response to a first message; `null` if it isn't refused. */
export async function refusal(client: TestClient): Promise<string | null> {
  const answer = await client.receive()
  return answer.t === 'error' ? answer.code : null
}
