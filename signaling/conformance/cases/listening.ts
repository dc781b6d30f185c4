import { setTimeout as after } from 'node:timers/promises'
import { same } from '../demand.ts'
import type { TestCase } from '../test-case.ts'

/** Sections "listen" and "notify". */
export const listenCases: readonly TestCase[] = [
  {
    rule: 'listen-1',
    says: 'the response to a listen is listening, and to 101 mailboxes E_SERVER_PROTOCOL, 1007',
    check: async (context) => {
      await context.listen(...Array.from({ length: 100 }, () => context.mailbox()))
      for (const count of [0, 101]) {
        const greedy = await context.open()
        const mailboxes = Array.from({ length: count }, () => context.mailbox())
        greedy.sendBoxed({ t: 'listen', v: 1, mailboxes })
        await greedy.refused('E_SERVER_PROTOCOL', 1007)
      }
    },
  },
  {
    rule: 'listen-2',
    says: 'a later listen on a socket replaces the earlier one',
    check: async (context) => {
      const [first, second] = [context.mailbox(), context.mailbox()]
      const listener = await context.listen(first)
      await context.listenAgain(listener, [second])
      const { host } = await context.host()
      same(await context.notify(host, first), false, 'reached:')
      same(await context.notify(host, second), true, 'reached:')
      same((await listener.next('notify')).mailbox, second, 'mailbox')
    },
  },
  {
    rule: 'listen-3',
    says: "a mailbox keeps its 4 newest listeners, and an older one doesn't return",
    check: async (context) => {
      const mailbox = context.mailbox()
      const listeners = []
      for (let count = 0; count < 5; count += 1) listeners.push(await context.listen(mailbox))
      const [oldest, ...newest] = listeners
      const { host } = await context.host()
      await context.notify(host, mailbox)
      for (const listener of newest) await listener.next('notify')
      newest[3]?.send('{"t":"leave"}')
      await newest[3]?.closed(1000)
      await context.notify(host, mailbox)
      for (const listener of newest.slice(0, 3)) await listener.next('notify')
      oldest?.quiet()
    },
  },
  {
    rule: 'notify-1',
    says: 'every listener on the mailbox receives the body once',
    check: async (context) => {
      const mailbox = context.mailbox()
      const listeners = [
        await context.listen(mailbox, context.mailbox()),
        await context.listen(mailbox),
      ]
      const { host } = await context.host()
      await context.notify(host, mailbox, 'Zmlyc3Q=')
      for (const listener of listeners) {
        const { mailbox: rung, body } = await listener.next('notify')
        same([rung, body], [mailbox, 'Zmlyc3Q='])
        await context.listenAgain(listener, [mailbox])
      }
    },
  },
  {
    rule: 'notify-2',
    says: 'notified reports if there was a listener',
    check: async (context) => {
      const [heard, unheard] = [context.mailbox(), context.mailbox()]
      await context.listen(heard)
      const { host } = await context.host()
      same(await context.notify(host, heard), true, 'reached:')
      same(await context.notify(host, unheard), false, 'reached:')
    },
  },
  {
    rule: 'notify-3',
    says: 'nothing is stored without a listener',
    check: async (context) => {
      const mailbox = context.mailbox()
      const { host } = await context.host()
      await context.notify(host, mailbox)
      const late = await context.listen(mailbox)
      await context.listenAgain(late, [mailbox])
    },
  },
  {
    rule: 'notify-4',
    says: 'a client that left, lost its socket or listens elsewhere is no longer a listener',
    check: async (context) => {
      const mailbox = context.mailbox()
      const { host } = await context.host()
      const left = await context.listen(mailbox)
      left.send('{"t":"leave"}')
      await left.closed(1000)
      const elsewhere = await context.listen(mailbox)
      await context.listenAgain(elsewhere, [context.mailbox()])
      same(await context.notify(host, mailbox), false, 'reached:')
      const lost = await context.listen(mailbox)
      await lost.cut()
      // The server may process the end of a socket after a message on another one.
      let isReached = true
      for (let tries = 0; tries < 5 && isReached; tries += 1) {
        if (tries > 0) await after(context.patienceMs / 5)
        isReached = await context.notify(host, mailbox)
      }
      same(isReached, false, 'reached:')
    },
  },
  {
    rule: 'notify-5',
    says: 'a pass in a notification is valid for the nameplate of the notifying host',
    check: async (context) => {
      const mailbox = context.mailbox()
      const listener = await context.listen(mailbox)
      const { host, nameplate, owner } = await context.host()
      await context.notify(host, mailbox)
      const { pass } = await listener.next('notify')
      if (pass === undefined) return
      await host.cut()
      await (await context.join(nameplate, { pass })).next('waiting')
      await context.return(owner)
    },
  },
]
