import { setTimeout as after } from 'node:timers/promises'
import type { Case } from '../case.ts'
import { same } from '../demand.ts'

/** Sections "listen" and "notify". */
export const listenCases: readonly Case[] = [
  {
    rule: 'listen-1',
    says: 'a listen is answered by listening, and 101 mailboxes by E_SERVER_PROTOCOL, 1007',
    check: async (kit) => {
      await kit.listen(...Array.from({ length: 100 }, () => kit.mailbox()))
      for (const count of [0, 101]) {
        const greedy = await kit.open()
        const mailboxes = Array.from({ length: count }, () => kit.mailbox())
        greedy.sendBoxed({ t: 'listen', v: 1, mailboxes })
        await greedy.refused('E_SERVER_PROTOCOL', 1007)
      }
    },
  },
  {
    rule: 'listen-2',
    says: 'a later listen of a socket is in place of the earlier one',
    check: async (kit) => {
      const [first, second] = [kit.mailbox(), kit.mailbox()]
      const listener = await kit.listen(first)
      await kit.listenAgain(listener, [second])
      const { host } = await kit.host()
      same(await kit.notify(host, first), false, 'reached:')
      same(await kit.notify(host, second), true, 'reached:')
      same((await listener.next('notify')).mailbox, second, 'mailbox')
    },
  },
  {
    rule: 'listen-3',
    says: "of more than 4 listeners on a mailbox the newest win, and the oldest doesn't return",
    check: async (kit) => {
      const mailbox = kit.mailbox()
      const listeners = []
      for (let count = 0; count < 5; count += 1) listeners.push(await kit.listen(mailbox))
      const [oldest, ...newest] = listeners
      const { host } = await kit.host()
      await kit.notify(host, mailbox)
      for (const listener of newest) await listener.next('notify')
      newest[3]?.send('{"t":"leave"}')
      await newest[3]?.closed(1000)
      await kit.notify(host, mailbox)
      for (const listener of newest.slice(0, 3)) await listener.next('notify')
      oldest?.quiet()
    },
  },
  {
    rule: 'notify-1',
    says: 'every listener on the mailbox is sent the body, once',
    check: async (kit) => {
      const mailbox = kit.mailbox()
      const listeners = [await kit.listen(mailbox, kit.mailbox()), await kit.listen(mailbox)]
      const { host } = await kit.host()
      await kit.notify(host, mailbox, 'Zmlyc3Q=')
      for (const listener of listeners) {
        const { mailbox: rung, body } = await listener.next('notify')
        same([rung, body], [mailbox, 'Zmlyc3Q='])
        await kit.listenAgain(listener, [mailbox])
      }
    },
  },
  {
    rule: 'notify-2',
    says: 'notified says whether there was a listener',
    check: async (kit) => {
      const [heard, unheard] = [kit.mailbox(), kit.mailbox()]
      await kit.listen(heard)
      const { host } = await kit.host()
      same(await kit.notify(host, heard), true, 'reached:')
      same(await kit.notify(host, unheard), false, 'reached:')
    },
  },
  {
    rule: 'notify-3',
    says: 'nothing is kept where nobody listens',
    check: async (kit) => {
      const mailbox = kit.mailbox()
      const { host } = await kit.host()
      await kit.notify(host, mailbox)
      const late = await kit.listen(mailbox)
      await kit.listenAgain(late, [mailbox])
    },
  },
  {
    rule: 'notify-4',
    says: 'who left, lost its socket or listens elsewhere is no listener any more',
    check: async (kit) => {
      const mailbox = kit.mailbox()
      const { host } = await kit.host()
      const left = await kit.listen(mailbox)
      left.send('{"t":"leave"}')
      await left.closed(1000)
      const elsewhere = await kit.listen(mailbox)
      await kit.listenAgain(elsewhere, [kit.mailbox()])
      same(await kit.notify(host, mailbox), false, 'reached:')
      const lost = await kit.listen(mailbox)
      await lost.cut()
      // The end of a line may take longer than what is said on another one.
      let isReached = true
      for (let tries = 0; tries < 5 && isReached; tries += 1) {
        if (tries > 0) await after(kit.patienceMs / 5)
        isReached = await kit.notify(host, mailbox)
      }
      same(isReached, false, 'reached:')
    },
  },
  {
    rule: 'notify-5',
    says: 'a pass in a notification is good for the nameplate of the host that rang',
    check: async (kit) => {
      const mailbox = kit.mailbox()
      const listener = await kit.listen(mailbox)
      const { host, nameplate, owner } = await kit.host()
      await kit.notify(host, mailbox)
      const { pass } = await listener.next('notify')
      if (pass === undefined) return
      await host.cut()
      await (await kit.join(nameplate, { pass })).next('waiting')
      await kit.return(owner)
    },
  },
]
