/** Sends messages to a client that doesn't read them. */
import { setTimeout as after } from 'node:timers/promises'
import type { Client } from '../client.ts'
import { Mismatch } from '../demand.ts'
import type { ServerMessages } from '../schemas.ts'

/** The longest body of a `relay`. */
const body = 'A'.repeat(8192)

/** The systems at both ends, and proxies in between, buffer some megabytes before the server has to. */
const maxBytes = 32 * 1024 * 1024

/** Bodies per side in one turn: fewer than the server queues. */
const atOnce = 12

/** Below the limit of 20 per second for one socket. */
const perSecond = 15

/** A client that sends more than its peer reads. */
export type Talker = {
  readonly client: Client
  readonly peer: string
  /** The number of messages that it may send at once. */
  readonly burst: number
  /** True if the server has responded to its messages. */
  readonly isAnswered: () => Promise<boolean>
}

/** A host: after all its other messages, the server answers one for an unknown peer. */
export const hostTalker = (client: Client, peer: string, burst: number): Talker => ({
  client,
  peer,
  burst,
  isAnswered: async () => {
    client.send({ t: 'relay', to: '0123456789abcdef', body: 'AA==' })
    if (!(await client.isNext('error'))) return true
    await client.next('error')
    return false
  },
})

/** A joiner, which may send few messages to unknown peers. */
export const joinerTalker = (client: Client, peer: string, burst: number): Talker => ({
  client,
  peer,
  burst,
  isAnswered: () => client.arrives(20),
})

/** Makes the talkers send, within their allowances, until one of them gets a response; returns that one. */
export async function overwhelm(talkers: readonly Talker[]): Promise<Client> {
  const bytesInTurn = atOnce * talkers.length * body.length
  for (let turn = 1; turn * bytesInTurn <= maxBytes; turn += 1) {
    for (const { client, peer, isAnswered } of talkers) {
      for (let said = 0; said < atOnce; said += 1) client.send({ t: 'relay', to: peer, body })
      if (await isAnswered()) return client
    }
    // Each turn includes one more message, for an unknown peer.
    const isSpent = talkers.some(({ burst }) => (turn + 1) * (atOnce + 1) > burst)
    if (isSpent) await after(((atOnce + 1) * 1000) / perSecond)
  }
  throw new Mismatch('an end of a socket', `none after ${maxBytes} unread bytes`)
}

/** Skips messages of these kinds. */
export async function passOver(client: Client, ...kinds: readonly (keyof ServerMessages)[]) {
  for (let next: keyof ServerMessages | undefined; ;) {
    next = undefined
    for (const kind of kinds) if (await client.isNext(kind)) next = kind
    if (next === undefined) return
    await client.next(next)
  }
}
