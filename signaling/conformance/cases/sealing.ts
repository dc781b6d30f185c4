import type { Client } from '../client.ts'
import { demand, same } from '../demand.ts'
import { ExchangeKey } from '../sealing.ts'
import type { TestCase } from '../test-case.ts'

const broken = (client: Client) => client.refused('E_SERVER_PROTOCOL', 1007)

/** Sections "sealed" and "welcome". */
export const sealedCases: readonly TestCase[] = [
  {
    rule: 'sealed-1',
    says: 'listen, notify and a join with a pass outside a box: E_SERVER_PROTOCOL, 1007',
    check: async (context) => {
      const mailbox = context.mailbox()
      const listener = await context.open()
      listener.send({ t: 'listen', v: 1, mailboxes: [mailbox] })
      await broken(listener)
      const joiner = await context.open()
      joiner.send({ t: 'join', v: 1, nameplate: context.someNameplate(), pass: mailbox })
      await broken(joiner)
      const { host } = await context.host()
      host.send({ t: 'notify', mailbox, body: 'AA==' })
      await broken(host)
    },
  },
  {
    rule: 'sealed-2',
    says: 'a box of another key, or a repeated one: E_SERVER_PROTOCOL, 1007',
    check: async (context) => {
      const strange = await context.open()
      strange.send({ t: 'sealed', key: strange.key.text, box: 'A'.repeat(60) })
      await broken(strange)
      const again = await context.open()
      await context.throttle.take('listen')
      const box = again.boxed({ t: 'listen', v: 1, mailboxes: [context.mailbox()] })
      again.send(box)
      await again.next('listening')
      again.send(box)
      await broken(again)
    },
  },
  {
    rule: 'sealed-3',
    says: 'a box in a box: E_SERVER_PROTOCOL, 1007',
    check: async (context) => {
      const client = await context.open()
      const inner = client.boxed({ t: 'listen', v: 1, mailboxes: [context.mailbox()] })
      client.sendBoxed(inner)
      await broken(client)
    },
  },
  {
    rule: 'sealed-4',
    says: 'another key on the same socket, even in a box: E_SERVER_PROTOCOL, 1007',
    check: async (context) => {
      const { host } = await context.host()
      const { text } = new ExchangeKey()
      host.send({ t: 'sealed', key: text, box: 'A'.repeat(60) })
      await broken(host)
      const { owner } = await context.host()
      const between = await context.open()
      const proof = owner.prove({ ...between.beginning, client: text })
      between.sendBoxed({ t: 'host', v: 1, owner: owner.text, key: text, proof })
      await broken(between)
    },
  },
  {
    rule: 'sealed-5',
    says: 'a key that results in an all-zero secret: E_SERVER_PROTOCOL, 1007',
    check: async (context) => {
      const client = await context.open()
      client.send({ t: 'sealed', key: 'A'.repeat(43), box: 'A'.repeat(60) })
      await broken(client)
    },
  },
  {
    rule: 'sealed-6',
    says: 'any message may be in a box, and boxes are numbered in order',
    check: async (context) => {
      const { owner, nameplate } = await context.host()
      const host = await context.open()
      host.sendBoxed({ t: 'host', v: 1, ...host.proof(owner) })
      same((await host.next('hosted')).nameplate, nameplate, 'nameplate')
      for (let time = 0; time < 3; time += 1) {
        host.sendBoxed({ t: 'relay', to: '0123456789abcdef', body: 'AA==' })
        same((await host.next('error')).code, 'E_PEER_GONE')
        await context.notify(host, context.mailbox())
      }
      host.sendBoxed({ t: 'leave' })
      await host.closed(1000)
      context.forgetNameplate()
    },
  },
  {
    rule: 'welcome-1',
    says: 'a welcome is the first message on every socket, sent once',
    check: async (context) => {
      const { host, joiner } = await context.pair()
      await host.settled()
      await joiner.settled()
    },
  },
  {
    rule: 'welcome-2',
    says: 'each socket has its own random nonce',
    check: async (context) => {
      const nonces = []
      for (let count = 0; count < 3; count += 1) nonces.push((await context.open()).beginning.nonce)
      demand(new Set(nonces).size === nonces.length, 'three nonces', nonces)
    },
  },
  {
    rule: 'closing-1',
    says: 'messages after a close are ignored',
    check: async (context) => {
      const { owner, host } = await context.host()
      const client = await context.open()
      client.send('{"t":"nothing"}')
      client.send({ t: 'host', v: 1, ...client.proof(owner) })
      await broken(client)
      await host.settled()
    },
  },
]
