// Thruflux of this checkout, with the signaling server of the same.
import { join } from 'node:path'
import { root } from '../../../scripts/lib/cache.mjs'

const launcher = [process.execPath, join(root, 'cli', 'bin', 'thru.cjs')]
const port = 8080
const limits = ['--session-creates-burst', '100000', '--ws-connections-burst', '100000']

/** Each place has a state of its own; nobody is looked for on the local network. */
const env = (lab, place) => ({
  THRU_NO_LAN: '1',
  THRU_LOG_LEVEL: 'error',
  XDG_STATE_HOME: join(lab.work, place, 'state'),
  XDG_CONFIG_HOME: join(lab.work, place, 'config'),
})
const server = (lab) => ['--server-url', `ws://${lab.address('server')}:${port}`]

export const thru = {
  name: 'thru',
  about: 'Thruflux of this checkout',
  needs: [],
  version: [...launcher, '--version'],
  env,
  daemons: () => [
    {
      place: 'server',
      argv: [...launcher, 'serve', '--host', '0.0.0.0', '--port', String(port), ...limits],
      ready: /ws:/,
    },
  ],
  send: (lab) => [...launcher, 'host', lab.source, '--json', ...server(lab)],
  code: /"code":"([\w-]+)"/,
  receive: (lab) => [...launcher, 'join', lab.code, '--out', lab.out, '--yes', ...server(lab)],
}
