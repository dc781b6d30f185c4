// coturn next to the signaling server, as STUN server and relay.
import { join } from 'node:path'
import { compiledLibrary } from './compiled.mjs'

const user = 'bench:bench'
export const relayPort = 3478

const wideBuffers = 'signaling/deploy/coturn/socket-buffers.c'

/** Returns the relay's command with the socket buffers of our deployments. */
export const wideRelayProgram = (options) => [
  ...['env', `LD_PRELOAD=${compiledLibrary(wideBuffers)}`],
  ...relayProgram(options),
]

/** Returns the command of a relay that listens at `address` and keeps its files in `folder`. */
export const relayProgram = ({ address, port = relayPort, folder }) => [
  ...['turnserver', '-n', '--no-tls', '--no-dtls', '--no-cli', '--simple-log'],
  ...['--listening-ip', address, '--listening-port', String(port)],
  ...['--lt-cred-mech', '--realm', 'bench', '--user', user, '--log-file', 'stdout'],
  ...['--pidfile', join(folder, `turn-${port}.pid`), '--userdb', join(folder, `turn-${port}.db`)],
]

export const stunUrl = (address, port = relayPort) => `stun:${address}:${port}`
export const turnUrl = (address, port = relayPort) => `turn:${user}@${address}:${port}`
export const turnOverTcp = (url) => `${url}?transport=tcp`

/** Options of `thru` that name a STUN server and relays. */
export const iceOptions = (stun, relays) => [
  ...['--stun-server', stun],
  ...relays.flatMap((url) => ['--turn-server', url]),
]
