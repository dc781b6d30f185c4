/** Broken servers, one per rule. */
import type { Message } from '../../conformance/schemas.ts'
import type { Breakage, Passing } from './breaking-proxy.ts'

/** A broken server and its mistake. */
export type Broken = { readonly rule: string; readonly does: string; readonly breakage: Breakage }

const changes = (t: string, change: (message: Message) => object): Breakage => ({
  toClient: ({ message, isBoxed }) => [
    { message: message.t === t ? { t, ...change(message) } : message, isBoxed },
  ],
})
const replaces = (t: string, by: (passing: Passing) => readonly Passing[]): Breakage => ({
  toClient: (passing) => (passing.message.t === t ? by(passing) : [passing]),
})
const without = (t: string, key: string): Breakage =>
  changes(t, (message) => ({ ...message, [key]: undefined }))
const drops = (t: string): Breakage => replaces(t, () => [])
const doubles = (t: string): Breakage => replaces(t, (passing) => [passing, passing])
const closesWith = (from: number, to: number | null): Breakage => ({
  close: (code) => (code === from ? to : code),
})
/** Keeps a kind of message from the server, and answers it itself. */
const answers = (
  isMeant: (message: Message) => boolean,
  how: (answer: (message: Message, closeCode?: number) => void) => void,
): Breakage => ({
  toServer: (passing, answer) => {
    if (!isMeant(passing.message)) return [passing]
    how(answer)
    return []
  },
})
/** Changes client messages before passing them on. */
const rewrites = (change: (message: Message) => object): Breakage => ({
  toServer: ({ message, isBoxed }) => [{ message: change(message) as Message, isBoxed }],
})

const refusal = (code: string): Message => ({ t: 'error', code })
const types = ['host', 'join', 'listen', 'relay', 'grant', 'notify', 'leave', 'sealed']

/** Servers that the kit must all catch. */
export const brokenServers: readonly Broken[] = [
  {
    rule: 'transport-2',
    does: 'has another name',
    breakage: { health: '{"name":"signaling","version":1}' },
  },
  {
    rule: 'transport-2',
    does: 'sends its version as text',
    breakage: { health: '{"name":"thruflux-signaling","version":"1"}' },
  },
  { rule: 'transport-4', does: 'accepts sockets on every path', breakage: { takesPaths: true } },
  { rule: 'transport-4', does: 'drops queries', breakage: { dropsQueries: true } },
  { rule: 'transport-5', does: 'accepts web pages', breakage: { takesOrigin: true } },
  { rule: 'transport-6', does: "accepts a client's offers", breakage: { takesOffers: true } },
  { rule: 'frames-1', does: 'reads binary frames', breakage: { frame: (data) => data } },
  {
    rule: 'frames-3',
    does: 'drops long messages',
    breakage: { frame: (data) => (data.length > 65_536 ? null : data) },
  },
  { rule: 'frames-5', does: 'closes garbage with 1002', breakage: closesWith(1007, 1002) },
  {
    rule: 'frames-6',
    does: 'ignores unknown messages',
    breakage: answers(
      ({ t }) => !types.includes(t),
      () => undefined,
    ),
  },
  {
    rule: 'frames-8',
    does: 'accepts numeric nameplates',
    breakage: rewrites((message) =>
      typeof message['nameplate'] === 'number'
        ? { ...message, nameplate: String(message['nameplate']) }
        : message,
    ),
  },
  {
    rule: 'versions-1',
    does: 'treats every version as 1',
    breakage: rewrites((message) => ('v' in message ? { ...message, v: 1 } : message)),
  },
  {
    rule: 'versions-1',
    does: 'closes another version with 1007',
    breakage: closesWith(4000, 1007),
  },
  {
    rule: 'extension-1',
    does: 'refuses unknown keys',
    breakage: answers(
      (message) => 'colour' in message,
      (answer) => answer(refusal('E_SERVER_PROTOCOL'), 1007),
    ),
  },
  { rule: 'order-1', does: 'closes with 1008 for 4001', breakage: closesWith(4001, 1008) },
  {
    rule: 'order-1',
    does: 'returns another error',
    breakage: changes('error', (message) => ({ ...message, code: 'E_INTERNAL' })),
  },
  { rule: 'welcome-1', does: 'greets twice', breakage: doubles('welcome') },
  {
    rule: 'welcome-1',
    does: 'sends a message before its greeting',
    breakage: replaces('welcome', (passing) => [
      { message: { t: 'waiting' }, isBoxed: false },
      passing,
    ]),
  },
  { rule: 'welcome-1', does: 'has no nonce', breakage: without('welcome', 'nonce') },
  {
    rule: 'welcome-2',
    does: 'greets every client with the same nonce',
    breakage: changes('welcome', (message) => ({ ...message, nonce: 'A'.repeat(43) })),
  },
  { rule: 'host-1', does: 'omits ttlS', breakage: without('hosted', 'ttlS') },
  {
    rule: 'host-1',
    does: 'sends ttlS as a fraction',
    breakage: changes('hosted', (message) => ({ ...message, ttlS: 1.5 })),
  },
  {
    rule: 'host-1',
    does: 'assigns nameplates of 7 digits',
    breakage: changes('hosted', (message) => ({ ...message, nameplate: '1234567' })),
  },
  {
    rule: 'host-1',
    does: 'assigns the same nameplate to every host',
    breakage: changes('hosted', (message) => ({ ...message, nameplate: '4821' })),
  },
  { rule: 'host-2', does: 'accepts any proof', breakage: {} },
  {
    rule: 'host-3',
    does: 'forgets owners',
    breakage: rewrites(({ owner: _owner, proof: _proof, ...message }) => message),
  },
  { rule: 'host-4', does: 'keeps the replaced socket', breakage: closesWith(4002, null) },
  {
    rule: 'host-4',
    does: 'closes the replaced socket with 4003',
    breakage: closesWith(4002, 4003),
  },
  {
    rule: 'host-5',
    does: 'assigns another nameplate than the host named',
    breakage: rewrites(({ nameplate, ...message }) =>
      message.t === 'host' ? message : { ...message, nameplate },
    ),
  },
  {
    rule: 'host-6',
    does: 'reports a taken nameplate immediately',
    breakage: answers(
      ({ t, nameplate }) => t === 'host' && nameplate !== undefined,
      (answer) => answer(refusal('E_NO_SUCH_CODE'), 4000),
    ),
  },
  { rule: 'join-1', does: 'names no host to a joiner', breakage: without('joined', 'peer') },
  {
    rule: 'join-1',
    does: 'gives all clients the same ids',
    breakage: changes('joined', (message) => ({ ...message, peer: 'a'.repeat(16) })),
  },
  { rule: 'join-1', does: 'does not notify the host', breakage: drops('peer') },
  { rule: 'join-2', does: 'drops the body of a join', breakage: without('peer', 'body') },
  {
    rule: 'join-3',
    does: 'reports an abandoned nameplate immediately',
    breakage: answers(
      ({ t }) => t === 'join',
      (answer) => answer(refusal('E_NO_SUCH_CODE'), 4000),
    ),
  },
  { rule: 'join-4', does: 'does not report a waiting joiner', breakage: drops('waiting') },
  {
    rule: 'join-5',
    does: 'reports an absent host as unknown',
    breakage: changes('error', (message) => ({ ...message, code: 'E_NO_SUCH_CODE' })),
  },
  {
    rule: 'join-12',
    does: 'ends the older pair of a pass with the usual code',
    breakage: closesWith(4002, 4003),
  },
  {
    rule: 'join-13',
    does: 'reads a join in the upgrade and does not mention it',
    breakage: without('welcome', 'joins'),
  },
  {
    rule: 'pause-1',
    does: 'answers unknown nameplates immediately',
    breakage: answers(
      ({ t }) => t === 'join',
      (answer) => answer(refusal('E_NO_SUCH_CODE'), 4000),
    ),
  },
  { rule: 'relay-1', does: 'names no sender', breakage: without('relay', 'from') },
  {
    rule: 'relay-1',
    does: 'changes a body',
    breakage: changes('relay', ({ from, body }) => ({
      from,
      body: String(body).replaceAll('+', '-'),
    })),
  },
  {
    rule: 'relay-2',
    does: 'swaps two bodies',
    breakage: {
      toClient: (passing, memory) => {
        if (passing.message.t !== 'relay') return [passing]
        const held = memory.get('held') as Passing | undefined
        if (memory.get('isDone') === true) return [passing]
        memory.set('held', passing)
        if (held === undefined) return []
        memory.set('isDone', true)
        return [passing, held]
      },
    },
  },
  { rule: 'relay-3', does: 'delivers every body twice', breakage: doubles('relay') },
  { rule: 'relay-4', does: 'omits the peer that is gone', breakage: without('error', 'peer') },
  {
    rule: 'relay-4',
    does: "distinguishes another session's peer from an unknown one",
    breakage: changes('error', (message) =>
      message['peer'] === '0123456789abcdef' ? message : { ...message, code: 'E_REFUSED' },
    ),
  },
  {
    rule: 'relay-6',
    does: "doesn't limit joiners",
    breakage: answers(
      ({ t, body }) => t === 'relay' && String(body).length === 8192,
      () => undefined,
    ),
  },
  {
    rule: 'relay-7',
    does: "doesn't limit joiners' messages to unknown peers",
    breakage: answers(
      ({ t, to }) => t === 'relay' && to === '0123456789abcdef',
      (answer) => answer({ ...refusal('E_PEER_GONE'), peer: '0123456789abcdef' }),
    ),
  },
  { rule: 'leave-1', does: 'closes with 1001 after leave', breakage: closesWith(1000, 1001) },
  { rule: 'leave-2', does: 'does not report departed peers', breakage: drops('gone') },
  {
    rule: 'leave-3',
    does: 'keeps the joiners of a host that left',
    breakage: closesWith(4003, null),
  },
  { rule: 'gone-2', does: 'closes them with 4000', breakage: closesWith(4003, 4000) },
  {
    rule: 'gone-1',
    does: 'names another peer',
    breakage: changes('gone', () => ({ peer: 'b'.repeat(16) })),
  },
  { rule: 'grant-1', does: 'sends no pass', breakage: drops('pass') },
  {
    rule: 'grant-1',
    does: 'sends a pass unsealed',
    breakage: replaces('pass', ({ message }) => [{ message, isBoxed: false }]),
  },
  { rule: 'grant-2', does: 'sends two passes', breakage: doubles('pass') },
  { rule: 'grant-2', does: 'sends credentials twice', breakage: doubles('turn') },
  {
    rule: 'turn-1',
    does: 'sends credentials without an expiry',
    breakage: changes('turn', (message) => ({ ...message, username: 'everybody' })),
  },
  { rule: 'listen-1', does: 'does not answer a listen', breakage: drops('listening') },
  {
    rule: 'notify-1',
    does: 'notifies the listener of another mailbox',
    breakage: changes('notify', (message) => ({ ...message, mailbox: 'm'.repeat(43) })),
  },
  { rule: 'notify-1', does: 'notifies twice', breakage: doubles('notify') },
  {
    rule: 'notify-2',
    does: 'always reports a listener',
    breakage: changes('notified', (message) => ({ ...message, reached: true })),
  },
  {
    rule: 'notify-2',
    does: 'does not report the result',
    breakage: without('notified', 'reached'),
  },
  {
    rule: 'limits-1',
    does: "doesn't limit messages",
    breakage: answers(
      ({ t }) => t === 'relay',
      () => undefined,
    ),
  },
  { rule: 'limits-2', does: 'answers every ping', breakage: {} },
  {
    rule: 'limits-3',
    does: 'omits the mailbox with too many notifications',
    breakage: without('error', 'mailbox'),
  },
  {
    rule: 'sealed-1',
    does: 'accepts unsealed mailboxes',
    breakage: {
      toServer: ({ message, isBoxed }) => [{ message, isBoxed: isBoxed || message.t === 'listen' }],
    },
  },
]
