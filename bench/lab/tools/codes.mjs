// Tools that connect two computers through a code and a server, like Thruflux.
import { basename, join } from 'node:path'

const crocPorts = [9009, 9010, 9011, 9012, 9013]
const crocPassword = 'bench'
const mailboxPort = 4000
const transitPort = 4001

const home = (lab, place) => ({
  HOME: join(lab.work, place),
  XDG_CONFIG_HOME: join(lab.work, place),
  LC_ALL: 'C.UTF-8',
})

const crocRelay = (lab) => `${lab.address('server')}:${crocPorts[0]}`
/** Without a terminal, croc would send its standard input. */
const croc = (lab, ...more) => [
  ...['croc', '--ignore-stdin', '--relay', crocRelay(lab), '--pass', crocPassword],
  ...more,
]

export const crocTool = {
  name: 'croc',
  about: 'croc through its own relay, as between computers on different networks',
  needs: ['croc'],
  install: 'go install github.com/schollz/croc/v11@latest, in the PATH',
  version: ['croc', '--version'],
  env: home,
  daemons: () => [
    {
      place: 'server',
      argv: ['croc', '--pass', crocPassword, 'relay', '--ports', crocPorts.join()],
      port: crocPorts.at(-1),
    },
  ],
  send: (lab) => croc(lab, '--yes', 'send', '--no-local', basename(lab.source)),
  code: /CROC_SECRET="?([\w-]+)|croc --relay .* ([\w-]+)\n/,
  codeEnv: (code) => ({ CROC_SECRET: code }),
  receive: (lab) => croc(lab, '--yes', '--overwrite', '--out', lab.out),
}

const wormholeCommand = (lab, ...more) => [
  ...['wormhole', '--relay-url', `ws://${lab.address('server')}:${mailboxPort}/v1`],
  ...['--transit-helper', `tcp:${lab.address('server')}:${transitPort}`],
  ...more,
]

export const wormhole = {
  name: 'wormhole',
  about: 'magic-wormhole with its own mailbox and relay; it zips folders first',
  needs: ['wormhole', 'twist'],
  install:
    'pip install magic-wormhole magic-wormhole-mailbox-server magic-wormhole-transit-relay, in the PATH',
  version: ['wormhole', '--version'],
  env: home,
  daemons: (lab) => [
    {
      place: 'server',
      argv: [
        ...['twist', 'wormhole-mailbox', '--port', `tcp:${mailboxPort}`],
        ...['--channel-db', join(lab.work, 'mailbox.sqlite')],
      ],
      port: mailboxPort,
    },
    {
      place: 'server',
      argv: ['twist', 'transitrelay', '--port', `tcp:${transitPort}`],
      port: transitPort,
    },
  ],
  send: (lab) => wormholeCommand(lab, 'send', '--no-qr', '--hide-progress', lab.source),
  code: /wormhole receive\s+(?:-\S+\s+)*(\d+-[\w-]+)|code is: (\d+-[\w-]+)/,
  receive: (lab) =>
    wormholeCommand(
      lab,
      ...['receive', '--accept-file', '--hide-progress'],
      ...['-o', join(lab.out, basename(lab.source)), lab.code],
    ),
}
