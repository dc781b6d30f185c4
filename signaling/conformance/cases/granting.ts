import { demand, same, Skip } from '../demand.ts'
import type { ServerMessages } from '../schemas.ts'
import type { TestCase } from '../test-case.ts'

const body = 'AA=='

/** Sections "grant", "turn" and "pass". */
export const grantCases: readonly TestCase[] = [
  {
    rule: 'grant-1',
    says: 'a granted joiner receives a pass, which lets it return',
    check: async (context) => {
      const { host, joiner, joinerId, nameplate, pass } = await context.passed()
      await joiner.cut()
      same((await host.next('gone')).peer, joinerId, 'gone:')
      await context.joinTo(host, nameplate, { pass })
    },
  },
  {
    rule: 'grant-2',
    says: 'a second grant for the same pair has no effect',
    check: async (context) => {
      const { host, joiner, joinerId } = await context.passed()
      host.send({ t: 'grant', peer: joinerId })
      for (const client of [host, joiner]) {
        await client.settled()
        demand(client.turns.length <= 1, 'at most one turn', client.turns)
      }
    },
  },
  {
    rule: 'grant-3',
    says: 'a grant for any other peer: E_PEER_GONE with peer, and no other message',
    check: async (context) => {
      const { host, joiner, nameplate, hostId } = await context.pair()
      const other = await context.hostAnew()
      const theirs = await context.joinTo(other.host, other.nameplate)
      const gone = await context.joinTo(host, nameplate)
      gone.joiner.send('{"t":"leave"}')
      same((await host.next('gone')).peer, gone.joinerId, 'gone:')
      const strangers = ['0123456789abcdef', hostId, gone.joinerId, theirs.joinerId, theirs.hostId]
      for (const peer of strangers) {
        host.send({ t: 'grant', peer })
        same(await host.next('error'), { t: 'error', code: 'E_PEER_GONE', peer })
      }
      for (const client of [host, joiner, other.host, theirs.joiner]) {
        await client.settled()
        same(client.turns, [], 'turns:')
      }
    },
  },
  {
    rule: 'grant-4',
    says: 'a joiner with a pass receives no other one',
    check: async (context) => {
      const { host, joiner, nameplate, pass } = await context.passed()
      await joiner.cut()
      await host.next('gone')
      const again = await context.joinTo(host, nameplate, { pass })
      host.send({ t: 'grant', peer: again.joinerId })
      await host.settled()
      await again.joiner.settled()
    },
  },
  {
    rule: 'grant-5',
    says: 'a joiner that has not sent its key receives neither turn nor pass',
    check: async (context) => {
      const { host, nameplate } = await context.host()
      const { joiner, joinerId, hostId } = await context.joinTo(host, nameplate, { key: undefined })
      host.send({ t: 'grant', peer: joinerId })
      host.send({ t: 'relay', to: joinerId, body })
      same(await joiner.next('relay'), { t: 'relay', from: hostId, body })
      await joiner.settled()
      same(joiner.turns, [], 'turns:')
    },
  },
  {
    rule: 'grant-6',
    says: 'other joiners of the host learn nothing of a grant',
    check: async (context) => {
      const { host, nameplate, joiner, joinerId } = await context.pair()
      const other = await context.joinTo(host, nameplate)
      host.send({ t: 'grant', peer: joinerId })
      await joiner.next('pass')
      await other.joiner.settled()
      same(other.joiner.turns, [], 'turns:')
    },
  },
  {
    rule: 'turn-1',
    says: 'both sides of a granted pair receive short-lived credentials, with one name per address',
    check: async (context) => {
      const { host, joiner, hostId, joinerId } = await context.pair()
      host.send({ t: 'grant', peer: joinerId })
      host.send({ t: 'relay', to: joinerId, body })
      if (!(await joiner.isNext('turn'))) throw new Skip('the server has no relays')
      const [hosts, joiners] = [await host.next('turn'), await joiner.next('turn')]
      same([hosts.peer, joiners.peer], [joinerId, hostId], 'peers')
      for (const turn of [hosts, joiners]) namesItsEnd(turn)
      const names = [hosts, joiners].map(({ username }) => username.split(':')[1])
      same(names[0], names[1], 'the same 64 bits:')
    },
  },
]

/** Plausible difference between two computers' clocks, seconds. */
const clocksDifferS = 300

function namesItsEnd({ username, credential, ttlS }: ServerMessages['turn']): void {
  const [ends = '', id = ''] = username.split(':')
  demand(/^[0-9a-f]{16}$/.test(id), 'END:64 bits in hex', username)
  const leftS = Number(ends) - Date.now() / 1000
  demand(Math.abs(leftS - ttlS) < clocksDifferS, `an end in ${ttlS} s`, `${Math.round(leftS)} s`)
  demand(/^[A-Za-z0-9+/]{27}=$/.test(credential), 'base64 of 20 bytes', credential)
}
