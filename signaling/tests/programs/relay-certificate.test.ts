/** A relay started by `signaling/deploy/coturn` picks up its first certificate and renewals, as from cert-manager. */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNetworkNamespaces, NetworkNamespace } from './network-namespace'

const start = fileURLToPath(new URL('../../deploy/coturn/start.sh', import.meta.url))
const name = 'relay.test'
const needed = [
  ['turnserver', '--version'],
  ['sqlite3', '-version'],
  ['openssl', 'version'],
] as const
const isMissing = needed.some(([program, arg]) => spawnSync(program, [arg]).error !== undefined)

describe.skipIf(!hasNetworkNamespaces() || isMissing)(
  'a relay with a certificate in a folder',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'thru-relay-certificate-'))
    const files = join(folder, 'certificate')
    let network: NetworkNamespace
    let relay: ChildProcess

    beforeAll(async () => {
      const secrets = join(folder, 'turn-secret')
      writeFileSync(secrets, 'the-secret-of-this-test\n')
      network = await NetworkNamespace.open()
      relay = network.spawn(start, [], {
        env: {
          ...process.env,
          RELAY_NAME: name,
          RELAY_SECRETS: secrets,
          RELAY_CERTIFICATE: join(files, 'tls.crt'),
          RELAY_STATE: join(folder, 'state'),
          RELAY_LISTEN: '127.0.0.1',
          RELAY_ACCOUNT: 'root',
          RELAY_LOOK: '0.1',
        },
        stdio: 'ignore',
      })
    })

    afterAll(async () => {
      const ended = once(relay, 'exit')
      relay.kill()
      await ended
      await network.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** Replaces the certificate at once, like Kubernetes a mounted secret; returns its fingerprint. */
    function issue(): string {
      const made = mkdtempSync(join(folder, 'made-'))
      const pair = ['-keyout', join(made, 'tls.key'), '-out', join(made, 'tls.crt')]
      const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
      const of = ['-subj', `/CN=${name}`, '-days', '2']
      execFileSync('openssl', ['req', '-x509', ...kind, ...pair, ...of], { stdio: 'ignore' })
      mkdirSync(files, { recursive: true })
      renameSync(join(made, 'tls.key'), join(files, 'tls.key'))
      renameSync(join(made, 'tls.crt'), join(files, 'tls.crt'))
      return fingerprint(`openssl x509 -in ${join(files, 'tls.crt')}`)
    }

    /** The fingerprint of the certificate that a command prints; empty without one. */
    const fingerprint = (printing: string): string =>
      network.run('sh', [
        '-c',
        `${printing} 2>/dev/null | openssl x509 -noout -fingerprint 2>&1 || true`,
      ])

    /** Queries the relay until it shows this certificate. */
    const untilShown = (wanted: string): void => {
      const asking = `openssl s_client -connect 127.0.0.1:5349 </dev/null`
      while (fingerprint(asking) !== wanted) expect(relay.exitCode).toBeNull()
    }

    it('listens for TLS once it exists, and switches to the next one without a restart', () => {
      const first = issue()
      expect(first).toMatch(/Fingerprint=/)
      untilShown(first)
      const next = issue()
      expect(next).not.toBe(first)
      untilShown(next)
    })
  },
)
