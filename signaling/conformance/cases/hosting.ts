import { demand, same } from '../demand.ts'
import { OwnerSecret } from '../sealing.ts'
import type { TestCase } from '../test-case.ts'
import { missed } from './pause.ts'

/** Section "host". */
export const hostCases: readonly TestCase[] = [
  {
    rule: 'host-1',
    says: 'each host receives its own nameplate',
    check: async (context) => {
      const first = await context.hostAnew()
      const second = await context.hostAnew()
      demand(first.nameplate !== second.nameplate, 'two nameplates', first.nameplate)
      same(first.ttlS, second.ttlS, 'ttlS')
    },
  },
  {
    rule: 'host-2',
    says: 'a proof by another key, for another socket or over another key: E_SERVER_PROTOCOL, 1007',
    check: async (context) => {
      const { owner, host } = await context.host()
      const wrong = [
        () => host.proof(owner),
        (client: typeof host) => ({ ...client.proof(new OwnerSecret()), owner: owner.text }),
        (client: typeof host) => ({ ...host.proof(owner), key: client.key.text }),
        (client: typeof host) => ({ ...client.proof(owner), key: host.key.text }),
      ]
      for (const keys of wrong) {
        const thief = await context.open()
        thief.send({ t: 'host', v: 1, ...keys(thief) })
        await thief.refused('E_SERVER_PROTOCOL', 1007)
      }
      host.quiet()
    },
  },
  {
    rule: 'host-3',
    says: 'an owner that lost its socket gets its nameplate back, even if it names another',
    check: async (context) => {
      const { owner, host, nameplate } = await context.host()
      await host.cut()
      same((await context.return(owner)).nameplate, nameplate, 'the same nameplate:')
      const named = await context.return(owner, { nameplate: context.someNameplate() })
      same(named.nameplate, nameplate, 'the same nameplate:')
    },
  },
  {
    rule: 'host-4',
    says: "the previous host's socket is closed with 4002, and its pairs end",
    check: async (context) => {
      const { owner, host, joiner, hostId } = await context.pair()
      await context.return(owner)
      await host.closed(4002)
      same((await joiner.next('gone')).peer, hostId, 'gone:')
      await joiner.closed(4003)
    },
  },
  {
    rule: 'host-5',
    says: 'a host that names a free nameplate receives it, under its owner',
    check: async (context) => {
      const owner = new OwnerSecret()
      const wanted = context.someNameplate()
      const more = { nameplate: wanted }
      const { host, nameplate } = await context.hostAnew((client) => ({
        ...client.proof(owner),
        ...more,
      }))
      same(nameplate, wanted, 'nameplate')
      await host.cut()
      const back = await context.return(owner)
      same(back.nameplate, wanted, "the owner's nameplate:")
      back.host.send('{"t":"leave"}')
      await back.host.closed(1000)
    },
  },
  {
    rule: 'host-6',
    says: "another owner's nameplate: E_NO_SUCH_CODE, 4000",
    check: async (context) => {
      const { nameplate, host } = await context.host()
      await context.throttle.take('host')
      await missed(context, (client) => client.send({ t: 'host', v: 1, nameplate }))
      host.quiet()
    },
  },
  {
    rule: 'host-7',
    says: "repeated attaching doesn't change the state",
    check: async (context) => {
      const { owner, nameplate, ttlS } = await context.host()
      for (let time = 0; time < 3; time += 1) {
        const again = await context.return(owner)
        same([again.nameplate, again.ttlS], [nameplate, ttlS])
      }
      const { host } = await context.return(owner)
      await context.joinTo(host, nameplate)
    },
  },
  {
    rule: 'host-8',
    says: "without an owner a nameplate can't be reclaimed",
    check: async (context) => {
      const { host, nameplate } = await context.hostAnew()
      await host.cut()
      await context.throttle.take('host')
      await missed(context, (client) => client.send({ t: 'host', v: 1, nameplate }))
    },
  },
  {
    rule: 'host-9',
    says: 'every server accepts visible',
    check: async (context) => {
      const { owner, nameplate } = await context.host()
      same((await context.return(owner, { visible: true })).nameplate, nameplate, 'nameplate')
    },
  },
]
