import type { Case } from '../case.ts'
import { demand, same } from '../demand.ts'
import { missed } from './pause.ts'

/** Another text of the same 32 bytes: the last character has two bits to spare. */
const otherText = (key: string): string =>
  key.slice(0, -1) + String.fromCharCode(key.charCodeAt(key.length - 1) + 1)

/** Sections "join" and "waiting". */
export const joinCases: readonly Case[] = [
  {
    rule: 'join-1',
    says: 'joiner and host are introduced, under ids that nobody else was given',
    check: async (kit) => {
      const { host, nameplate } = await kit.host()
      await kit.joinTo(host, nameplate)
      await kit.joinTo(host, nameplate)
      const isNew = new Set(kit.peers).size === kit.peers.length
      demand(isNew, 'another id for each side of each pair', kit.peers)
    },
  },
  {
    rule: 'join-2',
    says: 'what came with a join is handed to the host, and nothing else is',
    check: async (kit) => {
      const { host, nameplate } = await kit.host()
      const sent = 'Ab_-'.repeat(2048)
      same((await kit.joinTo(host, nameplate, { body: sent })).body, sent, 'body')
      same((await kit.joinTo(host, nameplate)).body, undefined, 'body')
    },
  },
  {
    rule: 'join-3',
    says: 'a free nameplate, and one that was given up: E_NO_SUCH_CODE, 4000',
    check: async (kit) => {
      const { host, nameplate } = await kit.hostAnew()
      host.send('{"t":"leave"}')
      await host.closed(1000)
      await kit.pace.take('join')
      await missed(kit, (client) => client.send({ t: 'join', v: 1, nameplate }))
    },
  },
  {
    rule: 'join-4',
    says: 'a joiner with a good pass waits for an absent host, and is introduced when that is back',
    check: async (kit) => {
      const { host, joiner, nameplate, owner, pass } = await kit.passed()
      await host.cut()
      await joiner.next('gone')
      const returning = await kit.join(nameplate, { pass, body: 'AA==' })
      await returning.next('waiting')
      const { host: back } = await kit.return(owner)
      const { peer: hostId } = await returning.next('joined')
      const { peer: joinerId, body } = await back.next('peer')
      same(body, 'AA==', 'body')
      returning.send({ t: 'relay', to: hostId, body: 'Ag==' })
      same(await back.next('relay'), { t: 'relay', from: joinerId, body: 'Ag==' })
    },
  },
  {
    rule: 'join-5',
    says: 'a joiner without a good pass: E_PEER_GONE, 4000, while the host is absent',
    check: async (kit) => {
      const { host, joiner, nameplate } = await kit.pair()
      await host.cut()
      await joiner.next('gone')
      await (await kit.join(nameplate)).refused('E_PEER_GONE', 4000)
      const made = await kit.join(nameplate, { pass: kit.mailbox() })
      await made.refused('E_PEER_GONE', 4000)
    },
  },
  {
    rule: 'join-6',
    says: "a joiner with a body of more than 1,024 characters doesn't wait: E_PEER_GONE, 4000",
    check: async (kit) => {
      const { host, joiner, nameplate, pass } = await kit.passed()
      await host.cut()
      await joiner.next('gone')
      const long = await kit.join(nameplate, { pass, body: 'A'.repeat(1025) })
      await long.refused('E_PEER_GONE', 4000)
      await (await kit.join(nameplate, { pass, body: 'A'.repeat(1024) })).next('waiting')
    },
  },
  {
    rule: 'join-7',
    says: 'one joiner waits by one pass, the newest; the earlier one: E_PEER_GONE, 4000',
    check: async (kit) => {
      const { host, nameplate, pass } = await kit.passed()
      const other = await kit.joinTo(host, nameplate)
      host.send({ t: 'grant', peer: other.joinerId })
      const { pass: otherPass } = await other.joiner.next('pass')
      await host.cut()
      await other.joiner.next('gone')
      const beside = await kit.join(nameplate, { pass: otherPass })
      await beside.next('waiting')
      let earlier = await kit.join(nameplate, { pass })
      await earlier.next('waiting')
      for (const again of [pass, otherText(pass)]) {
        const newest = await kit.join(nameplate, { pass: again })
        await newest.next('waiting')
        await earlier.refused('E_PEER_GONE', 4000)
        earlier = newest
      }
      beside.quiet()
    },
  },
  {
    rule: 'join-8',
    says: "a pass that the server didn't give is none at all",
    check: async (kit) => {
      const { host, nameplate } = await kit.host()
      await kit.joinTo(host, nameplate, { pass: kit.mailbox() })
    },
  },
  {
    rule: 'join-12',
    says: 'a join by a pass takes the place of the pair that has it: 4002, and gone for its host',
    check: async (kit) => {
      const { host, joiner, joinerId, nameplate, pass } = await kit.passed()
      const ids = [joinerId]
      let older = joiner
      for (let turn = 0; turn < 2; turn += 1) {
        const newer = await kit.join(nameplate, { pass })
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
    rule: 'waiting-1',
    says: 'a joiner that waits can leave',
    check: async (kit) => {
      const { host, joiner, nameplate, owner, pass } = await kit.passed()
      await host.cut()
      await joiner.next('gone')
      const waiting = await kit.join(nameplate, { pass })
      await waiting.next('waiting')
      waiting.send('{"t":"leave"}')
      await waiting.closed(1000)
      const { host: back } = await kit.return(owner)
      await back.settled()
    },
  },
]
