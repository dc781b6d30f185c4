// Public meeting points next to the laboratory's server: the relay program of the tests, over TLS.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../../scripts/lib/cache.mjs'
import { Program } from '../lib/program.mjs'
import { folder } from '../lib/world.mjs'

const relay = join(root, 'cli', 'tests', 'programs', 'nostr-relay.mjs')
const ports = [443, 444, 445]

/** A certificate of its own authority for an address; returns its files. */
function certify(address) {
  const [cert, key] = ['relay.pem', 'relay.key'].map((name) => join(folder, name))
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const name = ['-subj', '/CN=relay', '-addext', `subjectAltName=IP:${address}`]
  execFileSync('openssl', ['req', '-x509', ...made, ...name, '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  })
  return { cert, key }
}

/**
 * Starts three of them; the first `dead` ones take connections and never answer, and the others lose `lost` percent of
 * events. Returns their addresses and the authority to trust.
 */
export async function startMeetingPoints(network, address, { dead, lost }) {
  const { cert, key } = certify(address)
  const within = network.prefix('server')
  for (const [index, port] of ports.entries()) {
    const args = [address, String(port), cert, key, String(lost)]
    const program = new Program(args, { within, program: relay })
    await program.line('text')
    if (index < dead) process.kill(program.pid, 'SIGSTOP')
  }
  return { urls: ports.map((port) => `wss://${address}:${port}`), trusted: cert }
}
