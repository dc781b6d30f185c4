// Thruflux of this checkout, with the signaling server of the same.
import { join } from 'node:path'
import { root } from '../../../scripts/lib/cache.mjs'
import { folder } from '../../lib/world.mjs'

const launcher = [process.execPath, join(root, 'cli', 'bin', 'thru.cjs')]
const port = 8080
const limits = ['--session-creates-burst', '100000', '--ws-connections-burst', '100000']

/** Where a program at a place keeps what it remembers; each of several receivers has a place of its own. */
const homeOf = (lab, place) => join(lab.work, place, ...(lab.number ? [String(lab.number)] : []))

/** Nobody is looked for on the local network. */
const env = (lab, place) => ({
  THRU_NO_LAN: '1',
  THRU_LOG_LEVEL: 'error',
  XDG_STATE_HOME: join(homeOf(lab, place), 'state'),
  XDG_CONFIG_HOME: join(homeOf(lab, place), 'config'),
  // What is compiled of the command at its first start serves the next ones, as it does for people.
  XDG_CACHE_HOME: join(folder, 'cache'),
})
const server = (lab) => ['--server-url', `ws://${lab.address('server')}:${port}`]

const serve = {
  place: 'server',
  argv: [...launcher, 'serve', '--host', '0.0.0.0', '--port', String(port), ...limits],
  ready: /ws:/,
}

const relayPort = 3478
const relayUser = 'bench:bench'

const relay = (lab) => ({
  place: 'server',
  argv: [
    ...['turnserver', '-n', '--no-tls', '--no-dtls', '--no-cli', '--simple-log'],
    ...['--listening-ip', lab.address('server'), '--listening-port', String(relayPort)],
    ...['--lt-cred-mech', '--realm', 'bench', '--user', relayUser, '--log-file', 'stdout'],
    ...['--pidfile', join(lab.work, 'turn.pid'), '--userdb', join(lab.work, 'turn.db')],
  ],
  port: relayPort,
})

const relayUrl = (lab) => `turn:${relayUser}@${lab.address('server')}:${relayPort}`
const stunUrl = (lab) => `stun:${lab.address('server')}:${relayPort}`

/** The measurement decides how many come. */
const mostReceivers = '1000'

/** Both sides with these options more. */
const sides = (more) => ({
  send: (lab) => [
    ...[...launcher, 'host', lab.source, '--json', '--max-receivers', mostReceivers],
    ...[...server(lab), ...more(lab)],
  ],
  code: /"code":"([\w-]+)"/,
  receive: (lab) => receiveInto(lab.out, lab, more),
})

const receiveInto = (out, lab, more) => [
  ...[...launcher, 'join', lab.code, '--out', out, '--yes'],
  ...[...server(lab), ...more(lab)],
]

/** A NAT wants to be asked for its address; a relay is there in case that is not enough. */
const ice = (lab) => {
  if (!lab.isTranslated) return []
  const relays = [relayUrl(lab), `${relayUrl(lab)}?transport=tcp`]
  return ['--stun-server', stunUrl(lab), ...relays.flatMap((url) => ['--turn-server', url])]
}

export const thru = {
  name: 'thru',
  about: 'Thruflux of this checkout',
  needs: [],
  version: [...launcher, '--version'],
  env,
  daemons: (lab) => (lab.isTranslated ? [serve, relay(lab)] : [serve]),
  ...sides(ice),
}

export const thruOutput = {
  ...thru,
  name: 'thru-output',
  about: 'Thruflux of this checkout, received onto standard output, of which nothing is kept',
  ...{ isOptional: true, takesTrees: false, keepsNothing: true },
  receive: (lab) => ['sh', '-c', 'exec "$@" >/dev/null', 'sh', ...receiveInto('-', lab, ice)],
}

export const thruRelayed = {
  name: 'thru-relayed',
  about: 'the same through coturn at the server, never directly',
  isOptional: true,
  needs: ['turnserver'],
  install: 'apt-get install coturn',
  version: ['turnserver', '--version'],
  env,
  daemons: (lab) => [serve, relay(lab)],
  ...sides((lab) => ['--force-turn', '--turn-server', relayUrl(lab)]),
}
