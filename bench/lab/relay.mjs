// coturn beside the signaling server: answers STUN, and relays.
import { join } from 'node:path'
import { compiledLibrary } from './compiled.mjs'

const user = 'bench:bench'
export const relayPort = 3478

const wideBuffers = 'signaling/deploy/coturn/socket-buffers.c'

/** The program of the same with the buffers that our deployments give it. */
export const wideRelayProgram = (options) => [
  ...['env', `LD_PRELOAD=${compiledLibrary(wideBuffers)}`],
  ...relayProgram(options),
]

/** The program of one that listens at an address of its place, and keeps its files in `folder`. */
export const relayProgram = ({ address, port = relayPort, folder }) => [
  ...['turnserver', '-n', '--no-tls', '--no-dtls', '--no-cli', '--simple-log'],
  ...['--listening-ip', address, '--listening-port', String(port)],
  ...['--lt-cred-mech', '--realm', 'bench', '--user', user, '--log-file', 'stdout'],
  ...['--pidfile', join(folder, `turn-${port}.pid`), '--userdb', join(folder, `turn-${port}.db`)],
]

export const stunUrl = (address, port = relayPort) => `stun:${address}:${port}`
export const turnUrl = (address, port = relayPort) => `turn:${user}@${address}:${port}`
export const turnOverTcp = (url) => `${url}?transport=tcp`

/** The options of `thru` that name a server for STUN, and relays. */
export const iceOptions = (stun, relays) => [
  ...['--stun-server', stun],
  ...relays.flatMap((url) => ['--turn-server', url]),
]
