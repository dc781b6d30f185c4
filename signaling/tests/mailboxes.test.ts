import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Mailboxes } from '#signaling/rooms/mailboxes'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'

const connection = (name: string) => name as ConnectionId
const notifier = connection('notifier')
const home = '203.0.113.7'
const setUp = (maxTotal = 100, maxPerAddress = 100) =>
  new Mailboxes({ maxListeners: 2, maxTotal, maxPerAddress, trustLoopback: false })

/** The listeners that receive a notification for `mailbox`. */
const reachedBy = (mailboxes: Mailboxes, mailbox: string): readonly string[] =>
  mailboxes.notify(notifier, mailbox, 'sealed').flatMap(({ to }) => (to === notifier ? [] : [to]))

const answer = (effects: readonly Effect[]) => effects.find(({ to }) => to === notifier)

it('delivers a notification to all listeners, and reports that to its sender', () => {
  const mailboxes = setUp()
  mailboxes.listen(connection('desk'), home, ['home', 'work'])
  mailboxes.listen(connection('phone'), home, ['home'])
  const message = { t: 'notify', mailbox: 'home', body: 'sealed' }
  expect(mailboxes.notify(notifier, 'home', 'sealed')).toEqual([
    { type: 'send', to: 'desk', message },
    { type: 'send', to: 'phone', message },
    { type: 'send', to: notifier, message: { t: 'notified', mailbox: 'home', reached: true } },
  ])
})

it('reports a notification without listeners to its sender, and stores nothing', () => {
  const mailboxes = setUp()
  const message = { t: 'notified', mailbox: 'home', reached: false }
  expect(answer(mailboxes.notify(notifier, 'home', 'sealed'))).toMatchObject({ message })
  expect(mailboxes.listen(connection('desk'), home, ['home'])).toEqual([
    { type: 'send', to: 'desk', message: { t: 'listening' } },
  ])
})

it('drops the oldest listener of a full mailbox', () => {
  const mailboxes = setUp()
  for (const name of ['first', 'second', 'third'])
    mailboxes.listen(connection(name), home, ['home'])
  expect(reachedBy(mailboxes, 'home')).toEqual(['second', 'third'])
  mailboxes.drop(connection('first'))
  mailboxes.drop(connection('third'))
  expect(reachedBy(mailboxes, 'home')).toEqual(['second'])
})

it("replaces a socket's mailboxes when it listens again", () => {
  const mailboxes = setUp()
  mailboxes.listen(connection('desk'), home, ['home', 'home', 'work'])
  expect(mailboxes.total).toBe(2)
  mailboxes.listen(connection('desk'), home, ['work', 'club'])
  expect(reachedBy(mailboxes, 'home')).toEqual([])
  expect(reachedBy(mailboxes, 'work')).toEqual(['desk'])
  expect(reachedBy(mailboxes, 'club')).toEqual(['desk'])
})

it('refuses mailboxes above the global limit', () => {
  const mailboxes = setUp(3)
  mailboxes.listen(connection('desk'), home, ['home', 'work'])
  expect(mailboxes.listen(connection('phone'), home, ['home', 'club'])).toEqual([
    { type: 'refuse', to: 'phone', code: 'E_SERVER_BUSY' },
  ])
  expect(reachedBy(mailboxes, 'home')).toEqual(['desk'])
  expect(mailboxes.total).toBe(2)
})

it('SIG-11: is empty again after 10,000 listeners', () => {
  const mailboxes = setUp()
  for (let round = 0; round < 10_000; round += 1) {
    const who = connection(`${round}`)
    mailboxes.listen(who, home, ['home', `${round}`])
    mailboxes.listen(who, home, ['home', 'work'])
    mailboxes.drop(who)
  }
  expect(mailboxes.total).toBe(0)
  expect(reachedBy(mailboxes, 'home')).toEqual([])
})

it('reaches exactly the newest listeners after any history', () => {
  const who = fc.constantFrom('a', 'b', 'c', 'd').map(connection)
  const boxes = ['home', 'work', 'club']
  const names = fc.array(fc.constantFrom(...boxes), { minLength: 1, maxLength: 3 })
  const event = fc.tuple(who, fc.option(names))
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const mailboxes = setUp(1000)
      const heard = new Map<string, readonly string[]>()
      let present: Readonly<Record<string, number>> = {}
      for (const [name, wanted] of events) {
        if (wanted === null) mailboxes.drop(name)
        else mailboxes.listen(name, home, wanted)
        present = { ...present, [name]: new Set(wanted).size }
        for (const mailbox of boxes) {
          const others = (heard.get(mailbox) ?? []).filter((other) => other !== name)
          const now = wanted?.includes(mailbox) === true ? [...others, name] : others
          heard.set(mailbox, now.slice(-2))
          expect(reachedBy(mailboxes, mailbox)).toEqual(heard.get(mailbox))
        }
      }
      const total = Object.values(present).reduce((sum, count) => sum + count, 0)
      expect(mailboxes.total).toBe(total)
    }),
  )
})

it('limits an address, and its network to sixteen times that, until some are dropped', () => {
  const mailboxes = setUp(1000, 2)
  const names = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`)
  const listen = (who: string, address: string, count: number) =>
    mailboxes.listen(connection(who), address, names(count)).some(({ type }) => type === 'refuse')
  expect(listen('a', '203.0.113.1', 3)).toBe(true)
  for (let host = 1; host <= 16; host += 1) {
    expect(listen(`of ${host}`, `203.0.113.${host}`, 2)).toBe(false)
  }
  expect(listen('b', '203.0.113.17', 1)).toBe(true)
  mailboxes.drop(connection('of 3'))
  expect(listen('b', '203.0.113.17', 2)).toBe(false)
  expect(listen('c', '198.51.100.1', 2)).toBe(false)
})
