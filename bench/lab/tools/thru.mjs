// Thruflux of this checkout, with the signaling server of the same.
import { join } from 'node:path'
import { root } from '../../../scripts/lib/cache.mjs'
import { folder } from '../../lib/world.mjs'
import {
  iceOptions,
  relayPort,
  relayProgram,
  stunUrl,
  turnOverTcp,
  turnUrl,
  wideRelayProgram,
} from '../relay.mjs'

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

const relay = (lab, program = relayProgram) => ({
  place: 'server',
  argv: program({ address: lab.address('server'), folder: lab.work }),
  port: relayPort,
})

const relayUrl = (lab) => turnUrl(lab.address('server'))

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
  const relays = [relayUrl(lab), turnOverTcp(relayUrl(lab))]
  return iceOptions(stunUrl(lab.address('server')), relays)
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

const overTcp = (lab) => ['--relay', 'only', '--turn-server', turnOverTcp(relayUrl(lab))]

export const thruRelayed = {
  name: 'thru-relayed',
  about: 'the same through coturn at the server, never directly',
  isOptional: true,
  needs: ['turnserver'],
  install: 'apt-get install coturn',
  version: ['turnserver', '--version'],
  env,
  daemons: (lab) => [serve, relay(lab)],
  ...sides((lab) => ['--relay', 'only', '--turn-server', relayUrl(lab)]),
}

export const thruRelayedTcp = {
  ...thruRelayed,
  name: 'thru-relayed-tcp',
  about: 'the same where both sides reach coturn over TCP only',
  ...sides(overTcp),
}

export const thruRelayedTcpHost = {
  ...thruRelayed,
  name: 'thru-relayed-tcp-host',
  about:
    'the same where the sender reaches coturn over TCP only, and the receiver writes to the relay over UDP',
  send: sides(overTcp).send,
  receive: sides(() => []).receive,
}

export const thruRelayedTcpJoin = {
  ...thruRelayed,
  name: 'thru-relayed-tcp-join',
  about:
    'the same where the receiver reaches coturn over TCP only, and the sender writes to the relay over UDP',
  send: sides(() => []).send,
  receive: sides(overTcp).receive,
}

/** The same with a coturn whose sockets have wide buffers. */
const widened = ({ name, about }) => ({
  name: `${name}-wide`,
  about: `${about}, and coturn has the buffers of signaling/deploy`,
  daemons: (lab) => [serve, relay(lab, wideRelayProgram)],
})

export const thruRelayedWide = { ...thruRelayed, ...widened(thruRelayed) }
export const thruRelayedTcpWide = { ...thruRelayedTcp, ...widened(thruRelayedTcp) }
export const thruRelayedTcpHostWide = { ...thruRelayedTcpHost, ...widened(thruRelayedTcpHost) }
export const thruRelayedTcpJoinWide = { ...thruRelayedTcpJoin, ...widened(thruRelayedTcpJoin) }
