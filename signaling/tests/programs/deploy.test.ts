/**
 * The service of `signaling/deploy/compose.yaml` keeps the rules of the protocol.
 *
 * @module-tag full
 */
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseTurnUrl } from '#shared/signaling/turn-url'
import { DeployedService, isUndeployable, names, relayTlsPort, variable } from './deployed-service'

const kit = resolve('scripts/test-signaling.mjs')

describe.skipIf(isUndeployable())('the service of compose.yaml', () => {
  let service: DeployedService

  beforeAll(async () => {
    service = await DeployedService.open()
  })
  afterAll(() => service.close())

  /** The kit's broken rules; it connects to the service like any client. */
  function brokenRules(...sections: readonly string[]): unknown {
    type Verdict = { readonly rule: string; readonly result: string }
    const args = [kit, `wss://${names.service}`, ...sections, '--json']
    // Exit code 1 means that a rule is broken, and the output names it.
    const asked = ['env', `NODE_EXTRA_CA_CERTS=${service.authority}`, process.execPath, ...args]
    const said = service.network.run('sh', ['-c', '"$@" || [ $? = 1 ]', 'sh', ...asked])
    const { verdicts } = JSON.parse(said) as { readonly verdicts: readonly Verdict[] }
    for (const section of sections) {
      const held = verdicts.filter(({ result }) => result === 'passed')
      expect(
        held.some(({ rule }) => rule.startsWith(section)),
        section,
      ).toBe(true)
    }
    return verdicts.filter(({ result }) => result === 'failed')
  }

  it('keeps the rules of the protocol through Caddy, two nodes and Redis', () => {
    expect(brokenRules('transport', 'host', 'join', 'grant', 'turn')).toEqual([])
  })

  it('has a Redis that requires its password', () => {
    const said = service.network.run('redis-cli', ['-h', '127.0.0.1', 'ping'])
    expect(said).toContain('NOAUTH')
  })

  it("has a relay with Caddy's certificate, at the address that the nodes offer", () => {
    const announced = variable('THRU_TURN_URL').split(',').map(parseTurnUrl)
    const tls = announced.find((url) => url?.transport === 'tls')
    expect(tls).toEqual({ host: names.relay, port: relayTlsPort, transport: 'tls' })
    const to = `-connect ${names.relay}:${relayTlsPort} -servername ${names.relay}`
    const checks = `-verify_return_error -verify_hostname ${names.relay} -CAfile ${service.authority}`
    const said = service.network.run(
      'sh',
      ['-c', `openssl s_client ${to} ${checks} -brief 2>&1`],
      '\n',
    )
    expect(said).toContain('Verification: OK')
    expect(said).toContain(`Verified peername: ${names.relay}`)
  })

  it('routes a side of a server relay to the node in its path', () => {
    const upgrade = [
      ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ].flatMap((header) => ['--header', header])
    const statusAt = (node: string): string =>
      service.network.run('curl', [
        ...['--silent', '--http1.1', '--cacert', service.authority, ...upgrade],
        ...['--output', '/dev/null', '--write-out', '%{http_code}'],
        `https://${names.service}/v1/server-relay/${node}`,
      ])
    // Each node would answer 404 to the path of the other one, and the balancer alternates between them.
    for (let time = 0; time < 4; time += 1) {
      expect(statusAt('signaling-1')).toBe('403')
      expect(statusAt('signaling-2')).toBe('403')
    }
    expect(statusAt('signaling-3')).toBe('404')
  })

  it('continues when one of the two nodes ends', async () => {
    expect((await service.endNode(1)).status).toBe(0)
    expect(brokenRules('host', 'join')).toEqual([])
  })
})
