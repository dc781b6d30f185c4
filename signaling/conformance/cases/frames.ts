import type { Case } from '../case.ts'
import { demand, same } from '../demand.ts'
import type { Kit } from '../kit.ts'

/** The server takes none of these texts, each on a socket of its own. */
async function refuses(kit: Kit, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const client = await kit.open()
    client.send(text)
    await client.refused('E_SERVER_PROTOCOL', 1007)
  }
}

/** The code with which the server closes after this. */
async function closedWith(kit: Kit, code: number, data: Buffer, binary = false): Promise<void> {
  const client = await kit.open()
  client.socket.send(data, { binary })
  await client.closed(code)
}

const key = 'A'.repeat(43)
const peer = '0123456789abcdef'
const host = (keys: string): string => `{"t":"host","v":1,${keys}}`
const join = (keys: string): string => `{"t":"join","v":1,${keys}}`
const relay = (to: string, body: string): string => JSON.stringify({ t: 'relay', to, body })

/** Sections "Frames", "Versions" and "Extension". */
export const frameCases: readonly Case[] = [
  {
    rule: 'frames-1',
    says: 'a binary frame: 1003',
    check: (kit) => closedWith(kit, 1003, Buffer.from('{"t":"host","v":1}'), true),
  },
  {
    rule: 'frames-2',
    says: 'a frame that is not UTF-8: 1007',
    check: (kit) => closedWith(kit, 1007, Buffer.from([0x22, 0xff, 0x22])),
  },
  {
    rule: 'frames-3',
    says: 'more than 65,536 bytes: 1009',
    check: (kit) => closedWith(kit, 1009, Buffer.alloc(65_537, ' ')),
  },
  {
    rule: 'frames-4',
    says: 'more than 64 fragments: 1008; 64 are read',
    check: async (kit) => {
      const many = await kit.open()
      for (let sent = 0; sent < 65; sent += 1) many.socket.send(' ', { fin: false })
      await many.closed(1008)
      const fewer = await kit.open()
      for (let sent = 0; sent < 61; sent += 1) fewer.socket.send(' ', { fin: false })
      for (const part of ['{"t":"ho', 'st","v"']) fewer.socket.send(part, { fin: false })
      fewer.socket.send(':2}', { fin: true })
      await fewer.refused('E_PEER_VERSION', 4000)
    },
  },
  {
    rule: 'frames-5',
    says: 'what is no JSON object: E_SERVER_PROTOCOL, 1007; other sockets notice nothing',
    check: async (kit) => {
      const { host, joiner } = await kit.pair()
      const deep = '['.repeat(10_000)
      await refuses(kit, ['hello', '[]', 'null', '"host"', '{"t":"host","v":1', '', deep])
      for (const client of [host, joiner]) await client.settled()
    },
  },
  {
    rule: 'frames-6',
    says: 'an unknown t: E_SERVER_PROTOCOL, 1007',
    check: (kit) =>
      refuses(kit, [
        '{"t":"hosted"}',
        '{"t":"Host","v":1}',
        '{"v":1}',
        '{"t":1}',
        '{"t":"__proto__"}',
      ]),
  },
  {
    rule: 'frames-7',
    says: 'a missing key: E_SERVER_PROTOCOL, 1007',
    check: (kit) =>
      refuses(kit, [
        '{"t":"host"}',
        '{"t":"join","v":1}',
        '{"t":"join","nameplate":"4821"}',
        `{"t":"relay","to":"${peer}"}`,
        '{"t":"relay","body":"AA=="}',
        '{"t":"grant"}',
        `{"t":"sealed","key":"${key}"}`,
      ]),
  },
  {
    rule: 'frames-8',
    says: 'a value outside of its table: E_SERVER_PROTOCOL, 1007',
    check: async (kit) => {
      await refuses(kit, [
        '{"t":"host","v":"1"}',
        '{"t":"host","v":1e400}',
        host('"key":"short"'),
        host(`"key":"${'!'.repeat(43)}"`),
        host('"visible":"yes"'),
        host('"nameplate":4821'),
        host(`"key":"${key}","owner":"${key}"`),
        host(`"key":"${key}","proof":"${'A'.repeat(86)}"`),
        host(`"owner":"${key}","proof":"${'A'.repeat(86)}"`),
        ...['0821', '482', '4821482', '48a1'].map((nameplate) =>
          join(`"nameplate":"${nameplate}"`),
        ),
        join('"nameplate":"4821","body":""'),
        join(`"nameplate":"4821","body":"${'A'.repeat(8193)}"`),
        join('"nameplate":"4821","body":"a b"'),
        relay('0123456789ABCDEF', 'AA=='),
        relay('0123456789abcde', 'AA=='),
        relay(peer, ''),
        `{"t":"sealed","key":"${key}","box":"${'A'.repeat(21)}"}`,
      ])
      const listener = await kit.open()
      listener.sendBoxed({ t: 'listen', v: 1, mailboxes: ['__proto__'] })
      await listener.refused('E_SERVER_PROTOCOL', 1007)
    },
  },
  {
    rule: 'frames-9',
    says: 'a key that every object inherits: E_SERVER_PROTOCOL, 1007',
    check: (kit) =>
      refuses(kit, [
        '{"t":"host","v":1,"__proto__":{"a":1}}',
        '{"t":"host","v":1,"constructor":{"prototype":{"a":1}}}',
        '{"t":"host","v":1,"toString":"x"}',
      ]),
  },
  {
    rule: 'frames-10',
    says: 'of a key that occurs twice the last one counts',
    check: async (kit) => {
      const client = await kit.open()
      client.send('{"t":"nothing","v":1,"v":2,"t":"host"}')
      await client.refused('E_PEER_VERSION', 4000)
    },
  },
  {
    rule: 'frames-11',
    says: 'a message of 16,384 bytes is read',
    check: async (kit) => {
      const { owner } = await kit.host()
      const { nameplate } = await kit.return(owner, { more: 'm'.repeat(15_800) })
      demand(nameplate !== '', 'hosted', nameplate)
    },
  },
  {
    rule: 'versions-1',
    says: 'another version of host, join and listen: E_PEER_VERSION, 4000',
    check: async (kit) => {
      for (const text of ['{"t":"host","v":2}', '{"t":"host","v":0}', join('"v":2')]) {
        const client = await kit.open()
        client.send(text)
        await client.refused('E_PEER_VERSION', 4000)
      }
      const listener = await kit.open()
      listener.sendBoxed({ t: 'listen', v: 2, mailboxes: [kit.mailbox()] })
      await listener.refused('E_PEER_VERSION', 4000)
    },
  },
  {
    rule: 'versions-2',
    says: 'at nothing else is looked in a message of another version',
    check: async (kit) => {
      const client = await kit.open()
      client.send('{"t":"host","v":2,"owner":7,"nameplate":null}')
      await client.refused('E_PEER_VERSION', 4000)
    },
  },
  {
    rule: 'extension-1',
    says: 'unknown keys in a known message are ignored',
    check: async (kit) => {
      const { owner, nameplate } = await kit.host()
      const { host: again } = await kit.return(owner, { colour: 'blue', more: { deep: [1] } })
      await kit.joinTo(again, nameplate, { colour: 'blue' })
    },
  },
  {
    rule: 'order-1',
    says: 'relay, grant, notify and leave as the first message: E_SERVER_PROTOCOL, 4001',
    check: async (kit) => {
      for (const text of [relay(peer, 'AA=='), `{"t":"grant","peer":"${peer}"}`, '{"t":"leave"}']) {
        const client = await kit.open()
        client.send(text)
        await client.refused('E_SERVER_PROTOCOL', 4001)
      }
      const ringing = await kit.open()
      ringing.sendBoxed({ t: 'notify', mailbox: kit.mailbox(), body: 'AA==' })
      await ringing.refused('E_SERVER_PROTOCOL', 4001)
    },
  },
  {
    rule: 'order-2',
    says: 'a second role on the same socket: E_SERVER_PROTOCOL, 4001; joiners of a host: 4003',
    check: async (kit) => {
      for (const text of ['{"t":"host","v":1}', join('"nameplate":"4821"')]) {
        const { host: twice, joiner, hostId } = await kit.pair()
        twice.send(text)
        await twice.refused('E_SERVER_PROTOCOL', 4001)
        same(await joiner.next('gone'), { t: 'gone', peer: hostId })
        await joiner.closed(4003)
      }
      const { joiner, nameplate } = await kit.pair()
      joiner.send({ t: 'join', v: 1, nameplate })
      await joiner.refused('E_SERVER_PROTOCOL', 4001)
      for (const text of ['{"t":"host","v":1}', join('"nameplate":"4821"')]) {
        const listener = await kit.listen(kit.mailbox())
        listener.send(text)
        await listener.refused('E_SERVER_PROTOCOL', 4001)
      }
      const { host: listening } = await kit.host()
      listening.sendBoxed({ t: 'listen', v: 1, mailboxes: [kit.mailbox()] })
      await listening.refused('E_SERVER_PROTOCOL', 4001)
    },
  },
  {
    rule: 'order-3',
    says: 'grant and notify are for hosts, relay for hosts and joiners: E_SERVER_PROTOCOL, 4001',
    check: async (kit) => {
      const { host, joiner, joinerId } = await kit.pair()
      joiner.send({ t: 'grant', peer: joinerId })
      await joiner.refused('E_SERVER_PROTOCOL', 4001)
      same(await host.next('gone'), { t: 'gone', peer: joinerId })
      await host.settled()
      for (const message of [
        { t: 'relay', to: peer, body: 'AA==' },
        { t: 'grant', peer },
      ]) {
        const listener = await kit.listen(kit.mailbox())
        listener.send(message)
        await listener.refused('E_SERVER_PROTOCOL', 4001)
      }
      for (const ringing of [(await kit.pair()).joiner, await kit.listen(kit.mailbox())]) {
        ringing.sendBoxed({ t: 'notify', mailbox: kit.mailbox(), body: 'AA==' })
        await ringing.refused('E_SERVER_PROTOCOL', 4001)
      }
    },
  },
  {
    rule: 'order-4',
    says: 'messages that are sent without waiting are dealt with one after the other',
    check: async (kit) => {
      const { owner } = await kit.host()
      const client = await kit.open()
      client.send({ t: 'host', v: 1, ...client.proof(owner) })
      client.send(relay(peer, 'AA=='))
      client.send('{"t":"leave"}')
      await client.next('hosted')
      await client.next('error')
      await client.closed(1000)
      kit.forgetNameplate()
    },
  },
]
