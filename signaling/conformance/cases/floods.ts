import type { Client } from '../client.ts'
import { demand, Mismatch, same, shown, Skip } from '../demand.ts'
import type { TestCase } from '../test-case.ts'
import { hostTalker, joinerTalker, overwhelm, passOver, type Talker } from './unread.ts'

/** Factor by which the usual limit is exceeded, because a server may allow more. */
const patience = 2

/**
 * Repeats `attempt`, which returns true if it was allowed, up to twice as often as the usual limit. Returns the
 * number of allowed attempts.
 */
async function untilRefused(usual: number, attempt: () => Promise<boolean>): Promise<number> {
  for (let count = 0; count < usual * patience; count += 1) {
    if (!(await attempt())) return count
  }
  throw new Skip(`the server allows ${usual * patience} and more`)
}

/** True if the client's next message is a `t`; otherwise it must be this refusal. */
async function isAllowed(client: Client, t: 'hosted' | 'joined' | 'listening', action: string) {
  if (await client.isNext(t)) {
    await client.next(t)
    return true
  }
  if (await client.isNext('error')) {
    await client.refused('E_RATE_LIMITED', 4000)
    return false
  }
  throw new Mismatch(`${t}, or error E_RATE_LIMITED, for ${action}`, 'something else')
}

/** Section "Limits": each case uses up an allowance of the kit's address. */
export const floodCases: readonly TestCase[] = [
  {
    rule: 'limits-1',
    says: 'too many messages from one socket: E_RATE_LIMITED, 4006',
    isFlood: true,
    check: async (context) => {
      const { joiner, hostId } = await context.pair()
      for (let sent = 0; sent < 300; sent += 1)
        joiner.socket.send(`{"t":"relay","to":"${hostId}","body":"AA=="}`)
      await joiner.refused('E_RATE_LIMITED', 4006)
    },
  },
  {
    rule: 'limits-2',
    says: 'too many pings from one socket: E_RATE_LIMITED, 4006',
    isFlood: true,
    check: async (context) => {
      const client = await context.open()
      for (let sent = 0; sent < 300; sent += 1) client.socket.ping()
      await client.refused('E_RATE_LIMITED', 4006)
    },
  },
  {
    rule: 'limits-9',
    says: "more than 256 KiB waiting for a client that doesn't read: 1013",
    isFlood: true,
    check: async (context) => {
      const { host, joiner, joinerId, nameplate } = await context.passed()
      // Each joiner gives its host more messages.
      for (let more = 0; more < 8; more += 1) {
        const other = await context.joinTo(host, nameplate)
        await other.joiner.cut()
        same(await host.next('gone'), { t: 'gone', peer: other.joinerId })
      }
      joiner.socket.pause()
      try {
        await overwhelm([hostTalker(host, joinerId, 500)])
        same(await host.next('gone'), { t: 'gone', peer: joinerId })
      } finally {
        joiner.socket.resume()
      }
      same(await joiner.ended(), 1013, 'close')
    },
  },
  {
    rule: 'limits-13',
    says: "joiners that send too much to a host that doesn't read: E_RATE_LIMITED, 4000; the host stays",
    isFlood: true,
    check: async (context) => {
      const { host, nameplate } = await context.host()
      const talkers: Talker[] = []
      for (let count = 0; count < 10; count += 1) {
        const { joiner, hostId, joinerId } = await context.joinTo(host, nameplate)
        host.send({ t: 'grant', peer: joinerId })
        await joiner.next('pass')
        talkers.push(joinerTalker(joiner, hostId, 55))
      }
      host.socket.pause()
      try {
        await (await overwhelm(talkers)).refused('E_RATE_LIMITED', 4000)
      } finally {
        host.socket.resume()
      }
      const to = '0123456789abcdef'
      host.send({ t: 'relay', to, body: 'AA==' })
      await passOver(host, 'turn', 'relay', 'gone')
      same(await host.next('error'), { t: 'error', code: 'E_PEER_GONE', peer: to })
    },
  },
  {
    rule: 'limits-3',
    says: 'too many notify from one address: E_RATE_LIMITED with mailbox, and the socket stays',
    isFlood: true,
    check: async (context) => {
      const { host } = await context.host()
      const mailbox = context.mailbox()
      const allowed = await untilRefused(25, async () => {
        host.sendBoxed({ t: 'notify', mailbox, body: 'AA==' })
        if (await host.isNext('notified')) return !(await host.next('notified')).reached
        same(await host.next('error'), { t: 'error', code: 'E_RATE_LIMITED', mailbox })
        return false
      })
      demand(allowed > 0, 'some at first', shown(allowed))
      await host.settled()
    },
  },
  {
    rule: 'limits-4',
    says: 'too many listen from one address: E_RATE_LIMITED, 4000',
    isFlood: true,
    check: async (context) => {
      const mailboxes = [context.mailbox()]
      let listener = await context.open()
      let sent = 0
      await untilRefused(50, async () => {
        // A socket has its own allowance, which is about as large.
        sent += 1
        if (sent % 30 === 0) listener = await context.open()
        listener.sendBoxed({ t: 'listen', v: 1, mailboxes })
        return isAllowed(listener, 'listening', 'a listen')
      })
    },
  },
  {
    rule: 'limits-5',
    says: 'too many joins from one address to one nameplate: E_RATE_LIMITED, 4000',
    isFlood: true,
    check: async (context) => {
      const { host, nameplate } = await context.host()
      await untilRefused(30, async () => {
        const joiner = await context.open()
        joiner.send({ t: 'join', v: 1, nameplate })
        if (!(await isAllowed(joiner, 'joined', 'a join'))) return false
        await host.next('peer')
        return true
      })
      context.forgetNameplate()
    },
  },
  {
    rule: 'limits-6',
    says: 'too many E_NO_SUCH_CODE for one address: E_RATE_LIMITED, 4000',
    isFlood: true,
    check: async (context) => {
      await untilRefused(10, async () => {
        const joiner = await context.open()
        joiner.send({ t: 'join', v: 1, nameplate: context.someNameplate() })
        const { code } = await joiner.next('error')
        await joiner.closed(4000)
        const isMiss = code === 'E_NO_SUCH_CODE'
        demand(isMiss || code === 'E_RATE_LIMITED', 'E_NO_SUCH_CODE or E_RATE_LIMITED', code)
        return isMiss
      })
    },
  },
  {
    rule: 'limits-7',
    says: 'too many hosts from one address: E_RATE_LIMITED, 4000',
    isFlood: true,
    check: async (context) => {
      await untilRefused(20, async () => {
        const host = await context.open()
        host.send('{"t":"host","v":1}')
        const isHosted = await isAllowed(host, 'hosted', 'a host')
        if (isHosted) host.send('{"t":"leave"}')
        return isHosted
      })
    },
  },
  {
    rule: 'limits-8',
    says: 'too many sockets from one address: 429',
    isFlood: true,
    check: async (context) => {
      await untilRefused(120, async () => {
        const client = await context.dial()
        const status = new Promise<number>((resolve) => {
          client.socket.once('unexpected-response', (request, response) => {
            request.destroy()
            resolve(response.statusCode ?? 0)
          })
          client.socket.once('open', () => resolve(101))
        })
        const got = await status
        demand(got === 101 || got === 429, '101 or 429', got)
        return got === 101
      })
    },
  },
]

/** Cases that wait for deadlines of the server. */
export const slowCases: readonly TestCase[] = [
  {
    rule: 'closing-2',
    says: 'a socket without a first message for 10 s: 4004',
    isSlow: true,
    check: async (context) => {
      const client = await context.open()
      await client.arrives(15_000)
      await client.closed(4004)
    },
  },
  {
    rule: 'frames-12',
    says: 'a message incomplete for 20 s: 1008',
    isSlow: true,
    check: async (context) => {
      const { host } = await context.host()
      host.socket.send('{"t":', { fin: false })
      await host.arrives(30_000)
      await host.closed(1008)
    },
  },
  {
    rule: 'closing-3',
    says: 'a silent socket is pinged after 60 s; without an answer: 4005 after 90 s',
    isSlow: true,
    check: async (context) => {
      const { owner } = await context.host()
      const client = await context.open({ autoPong: false })
      client.send({ t: 'host', v: 1, ...client.proof(owner) })
      await client.next('hosted')
      let isPinged = false
      client.socket.once('ping', () => (isPinged = true))
      await client.arrives(120_000)
      demand(isPinged, 'a ping before the end', 'none')
      await client.closed(4005)
    },
  },
]
