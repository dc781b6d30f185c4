import { demand, same } from '../demand.ts'
import type { TestCase } from '../test-case.ts'
import type { TestContext } from '../test-context.ts'

/** Requires the server to refuse each of these texts, on separate sockets. */
async function refuses(context: TestContext, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const client = await context.open()
    client.send(text)
    await client.refused('E_SERVER_PROTOCOL', 1007)
  }
}

/** Returns the server's close code for this input. */
async function closedWith(
  context: TestContext,
  code: number,
  data: Buffer,
  binary = false,
): Promise<void> {
  const client = await context.open()
  client.socket.send(data, { binary })
  await client.closed(code)
}

const key = 'A'.repeat(43)
const peer = '0123456789abcdef'
const host = (keys: string): string => `{"t":"host","v":1,${keys}}`
const join = (keys: string): string => `{"t":"join","v":1,${keys}}`
const relay = (to: string, body: string): string => JSON.stringify({ t: 'relay', to, body })

/** Sections "Frames", "Versions" and "Extension". */
export const frameCases: readonly TestCase[] = [
  {
    rule: 'frames-1',
    says: 'a binary frame: 1003',
    check: (context) => closedWith(context, 1003, Buffer.from('{"t":"host","v":1}'), true),
  },
  {
    rule: 'frames-2',
    says: 'a frame that is not UTF-8: 1007',
    check: (context) => closedWith(context, 1007, Buffer.from([0x22, 0xff, 0x22])),
  },
  {
    rule: 'frames-3',
    says: 'more than 65,536 bytes: 1009',
    check: (context) => closedWith(context, 1009, Buffer.alloc(65_537, ' ')),
  },
  {
    rule: 'frames-4',
    says: 'more than 64 fragments: 1008; 64 are accepted',
    check: async (context) => {
      const many = await context.open()
      for (let sent = 0; sent < 65; sent += 1) many.socket.send(' ', { fin: false })
      await many.closed(1008)
      const fewer = await context.open()
      for (let sent = 0; sent < 61; sent += 1) fewer.socket.send(' ', { fin: false })
      for (const part of ['{"t":"ho', 'st","v"']) fewer.socket.send(part, { fin: false })
      fewer.socket.send(':2}', { fin: true })
      await fewer.refused('E_PEER_VERSION', 4000)
    },
  },
  {
    rule: 'frames-5',
    says: 'anything but a JSON object: E_SERVER_PROTOCOL, 1007; other sockets are unaffected',
    check: async (context) => {
      const { host, joiner } = await context.pair()
      const deep = '['.repeat(10_000)
      await refuses(context, ['hello', '[]', 'null', '"host"', '{"t":"host","v":1', '', deep])
      for (const client of [host, joiner]) await client.settled()
    },
  },
  {
    rule: 'frames-6',
    says: 'an unknown t: E_SERVER_PROTOCOL, 1007',
    check: (context) =>
      refuses(context, [
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
    check: (context) =>
      refuses(context, [
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
    says: 'a value that violates its table: E_SERVER_PROTOCOL, 1007',
    check: async (context) => {
      await refuses(context, [
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
      const listener = await context.open()
      listener.sendBoxed({ t: 'listen', v: 1, mailboxes: ['__proto__'] })
      await listener.refused('E_SERVER_PROTOCOL', 1007)
    },
  },
  {
    rule: 'frames-9',
    says: 'an inherited key of every object: E_SERVER_PROTOCOL, 1007',
    check: (context) =>
      refuses(context, [
        '{"t":"host","v":1,"__proto__":{"a":1}}',
        '{"t":"host","v":1,"constructor":{"prototype":{"a":1}}}',
        '{"t":"host","v":1,"toString":"x"}',
      ]),
  },
  {
    rule: 'frames-10',
    says: 'the last of duplicate keys is used',
    check: async (context) => {
      const client = await context.open()
      client.send('{"t":"nothing","v":1,"v":2,"t":"host"}')
      await client.refused('E_PEER_VERSION', 4000)
    },
  },
  {
    rule: 'frames-11',
    says: 'a message of 16,384 bytes is accepted',
    check: async (context) => {
      const { owner } = await context.host()
      const { nameplate } = await context.return(owner, { more: 'm'.repeat(15_800) })
      demand(nameplate !== '', 'hosted', nameplate)
    },
  },
  {
    rule: 'versions-1',
    says: 'another version of host, join and listen: E_PEER_VERSION, 4000',
    check: async (context) => {
      for (const text of ['{"t":"host","v":2}', '{"t":"host","v":0}', join('"v":2')]) {
        const client = await context.open()
        client.send(text)
        await client.refused('E_PEER_VERSION', 4000)
      }
      const listener = await context.open()
      listener.sendBoxed({ t: 'listen', v: 2, mailboxes: [context.mailbox()] })
      await listener.refused('E_PEER_VERSION', 4000)
    },
  },
  {
    rule: 'versions-2',
    says: 'nothing else is checked in a message of another version',
    check: async (context) => {
      const client = await context.open()
      client.send('{"t":"host","v":2,"owner":7,"nameplate":null}')
      await client.refused('E_PEER_VERSION', 4000)
    },
  },
  {
    rule: 'extension-1',
    says: 'unknown keys in a known message are ignored',
    check: async (context) => {
      const { owner, nameplate } = await context.host()
      const { host: again } = await context.return(owner, { colour: 'blue', more: { deep: [1] } })
      await context.joinTo(again, nameplate, { colour: 'blue' })
    },
  },
  {
    rule: 'order-1',
    says: 'relay, grant, notify and leave as the first message: E_SERVER_PROTOCOL, 4001',
    check: async (context) => {
      for (const text of [relay(peer, 'AA=='), `{"t":"grant","peer":"${peer}"}`, '{"t":"leave"}']) {
        const client = await context.open()
        client.send(text)
        await client.refused('E_SERVER_PROTOCOL', 4001)
      }
      const ringing = await context.open()
      ringing.sendBoxed({ t: 'notify', mailbox: context.mailbox(), body: 'AA==' })
      await ringing.refused('E_SERVER_PROTOCOL', 4001)
    },
  },
  {
    rule: 'order-2',
    says: 'a second role on the same socket: E_SERVER_PROTOCOL, 4001; joiners of a host: 4003',
    check: async (context) => {
      for (const text of ['{"t":"host","v":1}', join('"nameplate":"4821"')]) {
        const { host: twice, joiner, hostId } = await context.pair()
        twice.send(text)
        await twice.refused('E_SERVER_PROTOCOL', 4001)
        same(await joiner.next('gone'), { t: 'gone', peer: hostId })
        await joiner.closed(4003)
      }
      const { joiner, nameplate } = await context.pair()
      joiner.send({ t: 'join', v: 1, nameplate })
      await joiner.refused('E_SERVER_PROTOCOL', 4001)
      for (const text of ['{"t":"host","v":1}', join('"nameplate":"4821"')]) {
        const listener = await context.listen(context.mailbox())
        listener.send(text)
        await listener.refused('E_SERVER_PROTOCOL', 4001)
      }
      const { host: listening } = await context.host()
      listening.sendBoxed({ t: 'listen', v: 1, mailboxes: [context.mailbox()] })
      await listening.refused('E_SERVER_PROTOCOL', 4001)
    },
  },
  {
    rule: 'order-3',
    says: 'grant and notify only from hosts, relay only from hosts and joiners: E_SERVER_PROTOCOL, 4001',
    check: async (context) => {
      const { host, joiner, joinerId } = await context.pair()
      joiner.send({ t: 'grant', peer: joinerId })
      await joiner.refused('E_SERVER_PROTOCOL', 4001)
      same(await host.next('gone'), { t: 'gone', peer: joinerId })
      await host.settled()
      for (const message of [
        { t: 'relay', to: peer, body: 'AA==' },
        { t: 'grant', peer },
      ]) {
        const listener = await context.listen(context.mailbox())
        listener.send(message)
        await listener.refused('E_SERVER_PROTOCOL', 4001)
      }
      for (const ringing of [
        (await context.pair()).joiner,
        await context.listen(context.mailbox()),
      ]) {
        ringing.sendBoxed({ t: 'notify', mailbox: context.mailbox(), body: 'AA==' })
        await ringing.refused('E_SERVER_PROTOCOL', 4001)
      }
    },
  },
  {
    rule: 'order-4',
    says: 'messages sent without waiting are processed in order',
    check: async (context) => {
      const { owner } = await context.host()
      const client = await context.open()
      client.send({ t: 'host', v: 1, ...client.proof(owner) })
      client.send(relay(peer, 'AA=='))
      client.send('{"t":"leave"}')
      await client.next('hosted')
      await client.next('error')
      await client.closed(1000)
      context.forgetNameplate()
    },
  },
]
