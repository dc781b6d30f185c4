import { expect, it } from 'vitest'
import { SendAllowance } from '#client/session/send-allowance'
import { ManualClock } from '#client/testing/manual-clock'
import { messageAllowance } from '#shared/signaling/messages'
import { makeConfig } from '#signaling/config/config'
import { rendezvousRules } from '#signaling/limits/limits'

const setUp = () => {
  const clock = new ManualClock()
  const sent: string[] = []
  return { clock, sent, allowance: new SendAllowance<string>(clock, (text) => sent.push(text)) }
}

const pushMany = (allowance: SendAllowance<string>, count: number): void => {
  for (let index = 0; index < count; index += 1) allowance.push(`${index}`)
}

it('sends a burst immediately, and the rest in order as time passes', () => {
  const { clock, sent, allowance } = setUp()
  pushMany(allowance, 100)
  expect(sent.length).toBeLessThan(messageAllowance.burst)
  clock.advance(10_000)
  expect(sent).toEqual(Array.from({ length: 100 }, (_, index) => `${index}`))
})

it('never sends more in any second than the server allows', () => {
  const { clock, sent, allowance } = setUp()
  pushMany(allowance, 500)
  let before = sent.length
  for (let second = 0; second < 20; second += 1) {
    clock.advance(1000)
    expect(sent.length - before).toBeLessThanOrEqual(messageAllowance.perSecond)
    before = sent.length
  }
})

it('may send another burst for each receiver that arrives', () => {
  const { sent, allowance } = setUp()
  pushMany(allowance, 100)
  allowance.grant()
  expect(sent).toHaveLength(100)
})

it('lets a returning host answer all waiting receivers before one of them gives up', () => {
  const config = makeConfig({})
  if (!config.ok) throw new Error(config.error.detail)
  const { maxWaiting } = rendezvousRules(config.value)
  const { clock, sent, allowance } = setUp()
  for (let receiver = 0; receiver < maxWaiting; receiver += 1) allowance.grant()
  // An answer, a confirmation, a grant, some candidates and their end.
  pushMany(allowance, 10 * maxWaiting)
  clock.advance(10_000)
  expect(sent).toHaveLength(10 * maxWaiting)
})

it('SIG-15: saves no more than the server does, however many receivers the server invents', () => {
  const { sent, allowance } = setUp()
  for (let receiver = 0; receiver < 1000; receiver += 1) allowance.grant()
  pushMany(allowance, 1000)
  expect(sent.length).toBeLessThanOrEqual(messageAllowance.burst * messageAllowance.savedBursts)
})

it('drops waiting messages when it is stopped', () => {
  const { clock, sent, allowance } = setUp()
  pushMany(allowance, 100)
  const before = sent.length
  allowance.stop()
  clock.advance(60_000)
  expect(sent).toHaveLength(before)
})
