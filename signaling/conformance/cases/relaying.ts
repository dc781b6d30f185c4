import type { Client } from '../client.ts'
import { demand, same } from '../demand.ts'
import type { TestCase } from '../test-case.ts'

const body = 'c2VhbGVk'

async function answersGone(
  client: Client,
  message: { t: string; [key: string]: unknown },
  to: string,
) {
  client.send(message)
  same(await client.next('error'), { t: 'error', code: 'E_PEER_GONE', peer: to })
}

/** Sections "relay", "leave" and "gone". */
export const relayCases: readonly TestCase[] = [
  {
    rule: 'relay-1',
    says: 'bodies are relayed both ways, unchanged, with the id that the recipient knows',
    check: async (context) => {
      const { host, joiner, hostId, joinerId } = await context.pair()
      const long = '+/=-_Aa0'.repeat(1024)
      joiner.send({ t: 'relay', to: hostId, body: long })
      same(await host.next('relay'), { t: 'relay', from: joinerId, body: long })
      host.send({ t: 'relay', to: joinerId, body })
      same(await joiner.next('relay'), { t: 'relay', from: hostId, body })
    },
  },
  {
    rule: 'relay-2',
    says: 'bodies arrive in the order of sending',
    check: async (context) => {
      const { host, joiner, hostId, joinerId } = await context.pair()
      const bodies = Array.from({ length: 20 }, (_, index) => `body${index}`)
      for (const each of bodies) joiner.send({ t: 'relay', to: hostId, body: each })
      for (const each of bodies) same((await host.next('relay')).body, each)
      for (const each of bodies) host.send({ t: 'relay', to: joinerId, body: each })
      for (const each of bodies) same((await joiner.next('relay')).body, each)
    },
  },
  {
    rule: 'relay-3',
    says: 'a body arrives once, and only at its recipient',
    check: async (context) => {
      const { host, joiner, nameplate, hostId, joinerId } = await context.pair()
      const other = await context.joinTo(host, nameplate)
      joiner.send({ t: 'relay', to: hostId, body })
      await host.next('relay')
      host.send({ t: 'relay', to: joinerId, body })
      await joiner.next('relay')
      for (const client of [host, joiner, other.joiner]) await client.settled()
    },
  },
  {
    rule: 'relay-4',
    says: 'to a peer that never existed, is gone or belongs to another session: E_PEER_GONE with peer',
    check: async (context) => {
      const { host, joiner, nameplate, hostId, joinerId } = await context.pair()
      const other = await context.hostAnew()
      const theirs = await context.joinTo(other.host, other.nameplate)
      const gone = await context.joinTo(host, nameplate)
      await gone.joiner.cut()
      same((await host.next('gone')).peer, gone.joinerId, 'gone:')
      const strangers = ['0123456789abcdef', gone.joinerId, theirs.joinerId, theirs.hostId, hostId]
      for (const to of strangers) await answersGone(host, { t: 'relay', to, body }, to)
      for (const to of [joinerId, gone.hostId, theirs.hostId, theirs.joinerId])
        await answersGone(joiner, { t: 'relay', to, body }, to)
      for (const client of [other.host, theirs.joiner]) await client.settled()
    },
  },
  {
    rule: 'relay-5',
    says: 'the socket stays open after E_PEER_GONE with peer',
    check: async (context) => {
      const { host, joiner, hostId } = await context.pair()
      await host.settled()
      await joiner.settled()
      joiner.send({ t: 'relay', to: hostId, body })
      await host.next('relay')
    },
  },
  {
    rule: 'relay-6',
    says: 'a joiner that sends more than 64 KiB before its grant: E_RATE_LIMITED, 4000; its host stays',
    check: async (context) => {
      const { host, joiner, nameplate, hostId, joinerId } = await context.pair()
      const other = await context.joinTo(host, nameplate)
      const large = 'A'.repeat(8192)
      for (let sent = 0; sent < 9; sent += 1) joiner.send({ t: 'relay', to: hostId, body: large })
      for (let heard = 0; heard < 8; heard += 1) {
        same(await host.next('relay'), { t: 'relay', from: joinerId, body: large })
      }
      await joiner.refused('E_RATE_LIMITED', 4000)
      same(await host.next('gone'), { t: 'gone', peer: joinerId })
      await host.settled()
      other.joiner.send({ t: 'relay', to: other.hostId, body: large })
      same(await host.next('relay'), { t: 'relay', from: other.joinerId, body: large })
    },
  },
  {
    rule: 'relay-7',
    says: 'a joiner that sends too much to peers other than its host: E_RATE_LIMITED, 4006; its host stays',
    check: async (context) => {
      const { host, joiner, joinerId } = await context.pair()
      const to = '0123456789abcdef'
      for (let sent = 0; sent < 11; sent += 1) joiner.send({ t: 'relay', to, body })
      for (let heard = 0; heard < 10; heard += 1) {
        same(await joiner.next('error'), { t: 'error', code: 'E_PEER_GONE', peer: to })
      }
      await joiner.refused('E_RATE_LIMITED', 4006)
      same(await host.next('gone'), { t: 'gone', peer: joinerId })
      await host.settled()
    },
  },
  {
    rule: 'leave-1',
    says: 'a leave of host, joiner or listener is answered by close 1000',
    check: async (context) => {
      const { host, joiner } = await context.pair()
      const listener = await context.listen(context.mailbox())
      for (const client of [joiner, listener]) {
        client.send('{"t":"leave"}')
        await client.closed(1000)
      }
      await host.next('gone')
      host.send('{"t":"leave"}')
      await host.closed(1000)
      context.forgetNameplate()
    },
  },
  {
    rule: 'leave-2',
    says: 'the host of a joiner that leaves receives gone',
    check: async (context) => {
      const { host, joiner, joinerId } = await context.pair()
      joiner.send('{"t":"leave"}')
      same(await host.next('gone'), { t: 'gone', peer: joinerId })
      await host.settled()
    },
  },
  {
    rule: 'leave-3',
    says: 'joiners of a host that leaves receive gone and close 4003',
    check: async (context) => {
      const { host, joiner, hostId } = await context.pair()
      host.send('{"t":"leave"}')
      same(await joiner.next('gone'), { t: 'gone', peer: hostId })
      await joiner.closed(4003)
      context.forgetNameplate()
    },
  },
  {
    rule: 'leave-4',
    says: 'no key can reclaim an abandoned nameplate',
    check: async (context) => {
      const { host, owner, nameplate } = await context.host()
      host.send('{"t":"leave"}')
      await host.closed(1000)
      context.forgetNameplate()
      await context.throttle.take('host')
      const again = await context.return(owner)
      demand(again.nameplate !== nameplate, 'another nameplate', again.nameplate)
      again.host.send('{"t":"leave"}')
      await again.host.closed(1000)
    },
  },
  {
    rule: 'gone-1',
    says: 'the host of a joiner that lost its socket receives gone, and keeps its own socket',
    check: async (context) => {
      const { host, joiner, joinerId } = await context.pair()
      await joiner.cut()
      same(await host.next('gone'), { t: 'gone', peer: joinerId })
      await host.settled()
    },
  },
  {
    rule: 'gone-2',
    says: 'joiners of a host that lost its socket receive gone and close 4003',
    check: async (context) => {
      const { host, joiner, hostId } = await context.pair()
      await host.cut()
      same(await joiner.next('gone'), { t: 'gone', peer: hostId })
      await joiner.closed(4003)
    },
  },
]
