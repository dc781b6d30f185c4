import { demand, same } from '../demand.ts'
import type { TestCase } from '../test-case.ts'
import { missed } from './pause.ts'

/** Another text of the same 32 bytes: the last character has two unused bits. */
const otherText = (key: string): string =>
  key.slice(0, -1) + String.fromCharCode(key.charCodeAt(key.length - 1) + 1)

/** Sections "join" and "waiting". */
export const joinCases: readonly TestCase[] = [
  {
    rule: 'join-1',
    says: 'joiner and host are introduced with ids that no other client has',
    check: async (context) => {
      const { host, nameplate } = await context.host()
      await context.joinTo(host, nameplate)
      await context.joinTo(host, nameplate)
      const isNew = new Set(context.peers).size === context.peers.length
      demand(isNew, 'another id for each side of each pair', context.peers)
    },
  },
  {
    rule: 'join-2',
    says: 'the body of a join is delivered to the host, and nothing else',
    check: async (context) => {
      const { host, nameplate } = await context.host()
      const sent = 'Ab_-'.repeat(2048)
      same((await context.joinTo(host, nameplate, { body: sent })).body, sent, 'body')
      same((await context.joinTo(host, nameplate)).body, undefined, 'body')
    },
  },
  {
    rule: 'join-3',
    says: 'a free nameplate, and an abandoned one: E_NO_SUCH_CODE, 4000',
    check: async (context) => {
      const { host, nameplate } = await context.hostAnew()
      host.send('{"t":"leave"}')
      await host.closed(1000)
      await context.throttle.take('join')
      await missed(context, (client) => client.send({ t: 'join', v: 1, nameplate }))
    },
  },
  {
    rule: 'join-4',
    says: 'a joiner with a valid pass waits for an absent host, and is introduced on its return',
    check: async (context) => {
      const { host, joiner, nameplate, owner, pass } = await context.passed()
      await host.cut()
      await joiner.next('gone')
      const returning = await context.join(nameplate, { pass, body: 'AA==' })
      await returning.next('waiting')
      const { host: back } = await context.return(owner)
      const { peer: hostId } = await returning.next('joined')
      const { peer: joinerId, body } = await back.next('peer')
      same(body, 'AA==', 'body')
      returning.send({ t: 'relay', to: hostId, body: 'Ag==' })
      same(await back.next('relay'), { t: 'relay', from: joinerId, body: 'Ag==' })
    },
  },
  {
    rule: 'join-5',
    says: 'a joiner without a valid pass: E_PEER_GONE, 4000, while the host is absent',
    check: async (context) => {
      const { host, joiner, nameplate } = await context.pair()
      await host.cut()
      await joiner.next('gone')
      await (await context.join(nameplate)).refused('E_PEER_GONE', 4000)
      const made = await context.join(nameplate, { pass: context.mailbox() })
      await made.refused('E_PEER_GONE', 4000)
    },
  },
  {
    rule: 'join-6',
    says: "a joiner with a body of more than 1,024 characters doesn't wait: E_PEER_GONE, 4000",
    check: async (context) => {
      const { host, joiner, nameplate, pass } = await context.passed()
      await host.cut()
      await joiner.next('gone')
      const long = await context.join(nameplate, { pass, body: 'A'.repeat(1025) })
      await long.refused('E_PEER_GONE', 4000)
      await (await context.join(nameplate, { pass, body: 'A'.repeat(1024) })).next('waiting')
    },
  },
  {
    rule: 'join-7',
    says: 'one joiner waits per pass, the newest; the earlier one: E_PEER_GONE, 4000',
    check: async (context) => {
      const { host, nameplate, pass } = await context.passed()
      const other = await context.joinTo(host, nameplate)
      host.send({ t: 'grant', peer: other.joinerId })
      const { pass: otherPass } = await other.joiner.next('pass')
      await host.cut()
      await other.joiner.next('gone')
      const beside = await context.join(nameplate, { pass: otherPass })
      await beside.next('waiting')
      let earlier = await context.join(nameplate, { pass })
      await earlier.next('waiting')
      for (const again of [pass, otherText(pass)]) {
        const newest = await context.join(nameplate, { pass: again })
        await newest.next('waiting')
        await earlier.refused('E_PEER_GONE', 4000)
        earlier = newest
      }
      beside.quiet()
    },
  },
  {
    rule: 'join-8',
    says: 'a pass from elsewhere is ignored',
    check: async (context) => {
      const { host, nameplate } = await context.host()
      await context.joinTo(host, nameplate, { pass: context.mailbox() })
    },
  },
  {
    rule: 'join-12',
    says: 'a join with a pass replaces the pair that has it: 4002, and gone for its host',
    check: async (context) => {
      const { host, joiner, joinerId, nameplate, pass } = await context.passed()
      const ids = [joinerId]
      let older = joiner
      for (let turn = 0; turn < 2; turn += 1) {
        const newer = await context.join(nameplate, { pass })
        same(await host.next('gone'), { t: 'gone', peer: ids.at(-1) })
        const { peer } = await host.next('peer')
        await newer.next('joined')
        await older.closed(4002)
        ids.push(peer)
        older = newer
      }
      await host.settled()
      await older.settled()
    },
  },
  {
    rule: 'join-13',
    says: 'a join in the upgrade is read like a frame after the welcome, which mentions it',
    check: async (context) => {
      const { host, nameplate } = await context.host()
      const joiner = await context.joinAhead(nameplate, { body: 'AA==' })
      same((await joiner.next('welcome')).joins, true, 'joins')
      await joiner.next('joined')
      same((await host.next('peer')).body, 'AA==', 'body')
      joiner.send({ t: 'join', v: 1, nameplate })
      await joiner.refused('E_SERVER_PROTOCOL', 4001)
      same((await host.next('gone')).t, 'gone')
      const other = await context.dial()
      same((await other.next('welcome')).joins, undefined, 'joins')
      const withPass = await context.joinAhead(nameplate, { pass: context.mailbox() })
      await withPass.next('welcome')
      await withPass.refused('E_SERVER_PROTOCOL', 1007)
      await host.settled()
    },
  },
  {
    rule: 'waiting-1',
    says: 'a waiting joiner can leave',
    check: async (context) => {
      const { host, joiner, nameplate, owner, pass } = await context.passed()
      await host.cut()
      await joiner.next('gone')
      const waiting = await context.join(nameplate, { pass })
      await waiting.next('waiting')
      waiting.send('{"t":"leave"}')
      await waiting.closed(1000)
      const { host: back } = await context.return(owner)
      await back.settled()
    },
  },
]
