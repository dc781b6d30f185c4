/** The table of limits in docs/signaling.md matches the code. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { maxMailboxes, messageAllowance } from '#shared/signaling/messages'
import { makeConfig } from '#signaling/config/config'
import { configSettings } from '#signaling/config/invocation'
import {
  admissionRules,
  connectionRules,
  httpLimits,
  mailboxRules,
  pageFileRate,
  passwordTries,
  rendezvousRules,
  serverRelaysRules,
} from '#signaling/limits/limits'
import type { Rate } from '#signaling/limits/rate-limiter'

const made = makeConfig({})
if (!made.ok) throw new Error('no defaults')
const config = made.value
const admission = admissionRules(config)
const connection = connectionRules(config)
const rendezvous = rendezvousRules(config)
const mailbox = mailboxRules(config)

const count = (value: number): string => value.toLocaleString('en')
const seconds = (ms: number): string => count(ms / 1000)
const kib = (bytes: number): string => `${count(bytes / 1024)} KiB`
const rate = ({ perMinute, burst }: Rate): string =>
  `${count(perMinute)} a minute, burst ${count(burst)}`
const hourly = ({ perMinute, burst }: Rate): string =>
  `${count(Math.round(perMinute * 60))} an hour, burst ${count(burst)}`
const both = ({ each, all }: { readonly each: Rate; readonly all: Rate }) =>
  [rate(each), rate(all)] as const

/** The default and the global limit, in the order of the table. */
const rows: readonly (readonly [what: string, initial: string, all: string])[] = [
  ['from the TCP connection to the upgrade', seconds(httpLimits.handshakeMs), ''],
  ['TCP connections before their upgrade', '', `sockets + ${count(httpLimits.handshakes)}`],
  ['sockets', count(admission.maxSocketsPerAddress), count(admission.maxSockets)],
  ['sockets only for owners and passes', '', 'the last tenth'],
  ['new sockets', ...both(admission.connections)],
  ['wrong passwords, each counted once', rate(passwordTries), ''],
  ['sessions', count(rendezvous.maxSessionsPerAddress), count(rendezvous.maxSessions)],
  ['life of a session since its last `host`', count(rendezvous.sessionMs / 3_600_000), ''],
  [
    'first message',
    `${seconds(connection.silentMs)}; in the reserve ${seconds(connection.reservedSilentMs)}`,
    '',
  ],
  ['`host` except by an owner', ...both(admission.hosts)],
  ['`join` without a pass', ...both(admission.joins)],
  ['such a `join` from an address that rarely joins', ...both(admission.seldomJoins)],
  [
    'such a `join` to one nameplate',
    rate(admission.joinsPerNameplate.each),
    `${rate(rendezvous.joins)}, for one nameplate`,
  ],
  ['`join` with a pass', rate(admission.returns), ''],
  ['`host` and `join` that end in `E_NO_SUCH_CODE`', ...both(admission.misses)],
  ['joiners with a pass, one per pass, and as many others', count(rendezvous.maxReceivers), ''],
  [
    'messages, pings and pongs',
    `${messageAllowance.perSecond} a second, burst ${messageAllowance.burst}; of a joiner before its \`grant\` ${connection.joiners.messages.perMinute / 60} a second; each \`peer\` adds ${messageAllowance.burst} at once, up to ${messageAllowance.burst * messageAllowance.savedBursts}`,
    '',
  ],
  ['bytes of one message', count(config.maxMessageBytes), ''],
  ['`listen`', ...both(admission.listens)],
  ['mailboxes', count(maxMailboxes), ''],
  [
    'mailboxes',
    count(mailbox.maxPerAddress),
    `${mailbox.maxTotal / config.maxWsConnections} for each socket: ${count(mailbox.maxTotal)}`,
  ],
  ['listeners', count(mailbox.maxListeners), ''],
  ['`notify`', ...both(admission.notifications)],
  ['credentials for relays', hourly(admission.grants.each), hourly(admission.grants.all)],
  ['life of such credentials', count(config.turnTtl / 60), ''],
  ['server relays', '', count(config.serverRelays)],
  [
    'sides of server relays',
    'an eighth of server relays, at least 4; half of them for a network',
    '',
  ],
  ['bytes of a server relay', count(config.serverRelayBytesPerSec), ''],
  ['bytes of a server relay', `${count(config.serverRelayBytes / 1024 / 1024)} MiB`, ''],
  ['pages in browsers that receive', count(config.webRelays), ''],
  ['bytes of a page', count(config.webBytesPerSec), ''],
  ['bytes of a page', `${count(config.webBytes / 1024 / 1024)} MiB, and a quarter for packets`, ''],
  ['files of the page', rate(pageFileRate), ''],
  ['life of a server relay', count(serverRelaysRules(config, true).clients.lifeMs / 3_600_000), ''],
  ['bytes waiting to be sent', kib(connection.maxBufferedBytes), ''],
  ['bytes of received messages that wait', kib(connection.maxBufferedBytes), ''],
  [
    'bytes waiting to be sent, of received messages that wait, and of incomplete messages',
    '',
    `${config.maxHeldBytes / 1024 / 1024} MiB`,
  ],
  ['from the first byte of a message to its last', seconds(connection.messageMs), ''],
  [
    'bytes waiting for a host because of joiners',
    `${kib(connection.joinersBufferedBytes.strangers)}; ${kib(connection.joinersBufferedBytes.others)} for those with a pass or a \`grant\``,
    '',
  ],
  [
    'waiting joiners',
    `${rendezvous.maxWaiting}, and no more than joiners; one by each pass, the newest`,
    '',
  ],
  ['body of a waiting joiner', `${count(rendezvous.maxWaitingChars)} characters`, ''],
  ['bodies of a joiner before its `grant`', kib(connection.joiners.maxChars), ''],
  ['bodies of a joiner to peers other than its host', rate(connection.joiners.strays), ''],
  ['from an introduction to its `grant`', count(connection.joiners.grantMs / 60_000), ''],
  [
    'silence',
    `ping after ${seconds((connection.idleMs * 2) / 3)} s, end after ${seconds(connection.idleMs)} s`,
    '',
  ],
]

const page = readFileSync(new URL('../../docs/signaling.md', import.meta.url), 'utf8')
const section = page.slice(page.indexOf('\n## Limits\n'), page.indexOf('\n## On the local network'))
const table = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replace(/<sup>.*?<\/sup>/g, '').trim()),
  )

it('has a row for every limit of the code, in this order', () => {
  expect(table.map(([what]) => what)).toEqual(rows.map(([what]) => what))
})

it.each(rows.map((row, index) => [row[0], row, table[index] ?? []] as const))(
  'documents %s with a reason',
  (_what, [, initial, all], [, unit, writtenInitial, writtenAll, because, , beyond]) => {
    const isSaidOtherwise = initial === '' ? '' : writtenInitial
    expect([isSaidOtherwise, writtenAll]).toEqual([initial, all])
    for (const cell of [unit, because, beyond]) expect(cell).not.toBe('')
  },
)

it('reserves a tenth of all sockets for returning clients', () => {
  expect(admission.reservedSockets * 10).toBe(admission.maxSockets)
})

it('names existing settings', () => {
  const names = new Set(
    configSettings().map(({ flag, isFlag }) => (isFlag === false ? flag.slice(2) : flag)),
  )
  for (const row of table) {
    for (const [, name] of row[5]?.matchAll(/`([a-z]*-[a-z-]+)`/g) ?? [])
      expect(names).toContain(name)
  }
})
