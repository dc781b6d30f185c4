// This checkout's Thruflux, with its signaling server.
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

/** The environment, without a search of the local network. */
const env = (lab, place) => ({
  THRU_NO_LAN: '1',
  THRU_LOG_LEVEL: 'error',
  THRU_SESSION_CREATES_BURST: '100000',
  THRU_WS_CONNECTIONS_BURST: '100000',
  XDG_STATE_HOME: join(lab.work, place, 'state'),
  XDG_CONFIG_HOME: join(lab.work, place, 'config'),
  // Later starts reuse the command's compile cache, as they do for users.
  XDG_CACHE_HOME: join(folder, 'cache'),
})
const server = (lab) => ['--server-url', `ws://${lab.address('server')}:${port}`]

const serve = {
  place: 'server',
  argv: [...launcher, 'serve', '--host', '0.0.0.0', '--port', String(port)],
  ready: /ws:/,
}

const relay = (lab, program = relayProgram) => ({
  place: 'server',
  argv: program({ address: lab.address('server'), folder: lab.work }),
  port: relayPort,
})

const relayUrl = (lab) => turnUrl(lab.address('server'))

/** Returns both sides' commands with additional options. */
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

/** A NAT requires STUN; a relay is the fallback. */
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
  about: 'the same through coturn on the server, never directly',
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
  about: 'the same with both sides reaching coturn only over TCP',
  ...sides(overTcp),
}

/** Variants with larger socket buffers in coturn. */
const widened = ({ name, about }) => ({
  name: `${name}-wide`,
  about: `${about}, with coturn's buffers from signaling/deploy`,
  daemons: (lab) => [serve, relay(lab, wideRelayProgram)],
})

export const thruRelayedWide = { ...thruRelayed, ...widened(thruRelayed) }
export const thruRelayedTcpWide = { ...thruRelayedTcp, ...widened(thruRelayedTcp) }
