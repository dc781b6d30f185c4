// Thruflux of this checkout, with the signaling server of the same.
import { join } from 'node:path'
import { root } from '../../../scripts/lib/cache.mjs'
import { folder } from '../../lib/world.mjs'

const launcher = [process.execPath, join(root, 'cli', 'bin', 'thru.cjs')]
const port = 8080
const limits = ['--session-creates-burst', '100000', '--ws-connections-burst', '100000']

/** Each place has a state of its own; nobody is looked for on the local network. */
const env = (lab, place) => ({
  THRU_NO_LAN: '1',
  THRU_LOG_LEVEL: 'error',
  XDG_STATE_HOME: join(lab.work, place, 'state'),
  XDG_CONFIG_HOME: join(lab.work, place, 'config'),
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

/** Both sides with these options more. */
const sides = (more) => ({
  send: (lab) => [...launcher, 'host', lab.source, '--json', ...server(lab), ...more(lab)],
  code: /"code":"([\w-]+)"/,
  receive: (lab) => [
    ...[...launcher, 'join', lab.code, '--out', lab.out, '--yes'],
    ...[...server(lab), ...more(lab)],
  ],
})

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
