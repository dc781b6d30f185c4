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

/** Nobody is looked for on the local network. */
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

const relay = (lab, program = relayProgram) => ({
  place: 'server',
  argv: program({ address: lab.address('server'), folder: lab.work }),
  port: relayPort,
})

const relayUrl = (lab) => turnUrl(lab.address('server'))

/** Both sides with these options more. */
const sides = (more) => ({
  send: (lab) => [
    ...[...launcher, 'host', lab.source, '--json'],
    ...[...server(lab), ...more(lab)],
  ],
  code: /"code":"([\w-]+)"/,
  receive: (lab) => [
    ...[...launcher, 'join', lab.code, '--out', lab.out, '--yes'],
    ...[...server(lab), ...more(lab)],
  ],
})

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

/** The same with a coturn whose sockets have wide buffers. */
const widened = ({ name, about }) => ({
  name: `${name}-wide`,
  about: `${about}, and coturn has the buffers of signaling/deploy`,
  daemons: (lab) => [serve, relay(lab, wideRelayProgram)],
})

export const thruRelayedWide = { ...thruRelayed, ...widened(thruRelayed) }
export const thruRelayedTcpWide = { ...thruRelayedTcp, ...widened(thruRelayedTcp) }
