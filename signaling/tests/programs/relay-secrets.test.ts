/** A relay started by `signaling/deploy/coturn` picks up new secrets, and no allocation ends. */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#signaling/clock'
import { TurnService } from '#signaling/socket/turn-service'
import { hasNetworkNamespaces, NetworkNamespace } from './network-namespace'
import { answers, TurnClient } from './turn-client'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const port = 3478
const oldSecret = 'the-secret-of-last-year'

/** `sqlite3` writes the secrets for coturn. */
const hasSqlite = spawnSync('sqlite3', ['-version']).status === 0

describe.skipIf(!hasNetworkNamespaces() || !hasSqlite)('a relay whose secret is replaced', () => {
  const folder = mkdtempSync(join(tmpdir(), 'thru-relay-secrets-'))
  const secrets = join(folder, 'turn-secret')
  let network: NetworkNamespace
  let relay: ChildProcess

  beforeAll(async () => {
    writeFileSync(secrets, `${oldSecret}\n`)
    network = await NetworkNamespace.open(['203.0.113.5'])
    relay = network.spawn(join(deploy, 'coturn/start.sh'), [], {
      env: {
        ...process.env,
        RELAY_NAME: 'relay.test',
        RELAY_SECRETS: secrets,
        RELAY_CERTIFICATES: join(folder, 'none'),
        RELAY_STATE: join(folder, 'state'),
        RELAY_LISTEN: '127.0.0.1',
        // Only this account can read the test's folder.
        RELAY_ACCOUNT: 'root',
        RELAY_LOOK: '0.1',
      },
    })
    await answers(port, (onMessage) => network.socket('127.0.0.1', onMessage))
  })

  afterAll(async () => {
    const ended = once(relay, 'exit')
    relay.kill()
    await ended
    await network.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const serviceWith = (turnSecret: string): TurnService =>
    new TurnService({ turnUrls: ['turn:relay.test'], turnSecret, turnTtl: 600 }, systemClock)

  /** A client with credentials from a secret, and the result of its allocation request. */
  async function clientWith(turnSecret: string) {
    let client: TurnClient | null = null
    const socket = await network.socket('127.0.0.1', (data) => client?.onMessage(data))
    client = new TurnClient(port, serviceWith(turnSecret).issue('203.0.113.7'), socket)
    return { client, code: await client.allocate(4) }
  }

  /** Tries until the relay has applied the change. */
  async function untilAnswer(turnSecret: string, wanted: number): Promise<void> {
    while ((await clientWith(turnSecret)).code !== wanted);
  }

  const rotate = (...args: readonly string[]): string =>
    execFileSync(join(deploy, 'rotate-turn-secret.sh'), [...args, secrets], { encoding: 'utf8' })
  const firstLine = (): string =>
    execFileSync('head', ['-n', '1', secrets], { encoding: 'utf8' }).trim()

  it('TURN-05: accepts both secrets for a while, then only the new one, and ends no allocation', async () => {
    const before = await clientWith(oldSecret)
    expect(before.code).toBe(0)
    rotate()
    const newSecret = firstLine()
    expect(newSecret).not.toBe(oldSecret)
    await untilAnswer(newSecret, 0)
    expect((await clientWith(oldSecret)).code).toBe(0)
    rotate('--end')
    await untilAnswer(oldSecret, 401)
    expect((await clientWith(newSecret)).code).toBe(0)
    // An allocation made with the old secret stays valid: its key was checked at the beginning.
    expect(await before.client.permit('8.8.8.8')).toBe(0)
    expect(await before.client.refresh()).toBe(0)
  })
})
