/** What is said to somebody who doesn't read it. */
import { setTimeout as after } from 'node:timers/promises'
import type { Client } from '../client.ts'
import { Mismatch } from '../demand.ts'
import type { ServerMessages } from '../schemas.ts'

/** The longest body of a `relay`. */
const body = 'A'.repeat(8192)

/** Systems at both ends, and proxies between them, keep some megabytes before anything waits at the server. */
const maxBytes = 32 * 1024 * 1024

/** Bodies of one side at a time: fewer than may wait for their turn at the server. */
const atOnce = 12

/** Below the 20 a second of one socket. */
const perSecond = 15

/** One that says more than its peer reads. */
export type Talker = {
  readonly client: Client
  readonly peer: string
  /** Messages that it may send at once. */
  readonly burst: number
  /** Whether the server has sent it something about what it said. */
  readonly isAnswered: () => Promise<boolean>
}

/** A host: the server answers a message for nobody, after all others. */
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

/** A joiner, which may say little to nobody. */
export const joinerTalker = (client: Client, peer: string, burst: number): Talker => ({
  client,
  peer,
  burst,
  isAnswered: () => client.arrives(20),
})

/** Lets them talk, below their allowances, until one of them is answered; which one. */
export async function overwhelm(talkers: readonly Talker[]): Promise<Client> {
  const bytesInTurn = atOnce * talkers.length * body.length
  for (let turn = 1; turn * bytesInTurn <= maxBytes; turn += 1) {
    for (const { client, peer, isAnswered } of talkers) {
      for (let said = 0; said < atOnce; said += 1) client.send({ t: 'relay', to: peer, body })
      if (await isAnswered()) return client
    }
    // One more of each turn is for nobody.
    const isSpent = talkers.some(({ burst }) => (turn + 1) * (atOnce + 1) > burst)
    if (isSpent) await after(((atOnce + 1) * 1000) / perSecond)
  }
  throw new Mismatch('an end of a socket', `none after ${maxBytes} bytes that nobody read`)
}

/** Reads messages of these kinds until another one comes. */
export async function passOver(client: Client, ...kinds: readonly (keyof ServerMessages)[]) {
  for (let next: keyof ServerMessages | undefined; ;) {
    next = undefined
    for (const kind of kinds) if (await client.isNext(kind)) next = kind
    if (next === undefined) return
    await client.next(next)
  }
}
