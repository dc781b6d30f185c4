import { expect, it } from 'vitest'
import { makeConfig } from '#signaling/config/config'
import { Admission } from '#signaling/limits/admission'
import { InMemoryAllowances } from '#signaling/limits/allowances'
import { admissionRules } from '#signaling/limits/limits'
import { FakeClock } from './fake-clock.ts'

const made = makeConfig({})
if (!made.ok) throw new Error(made.error.detail)
const rules = admissionRules(made.value)
const address = '203.0.113.7'

/** Unused limits of a node. */
function fresh() {
  const clock = new FakeClock()
  const allowances = new InMemoryAllowances(rules, clock)
  return { allowances, admission: new Admission(rules, clock, allowances) }
}

it('takes nothing if one of several allowances is used up', async () => {
  const { admission } = fresh()
  const guess = async (nameplate: string) => (await admission.mayJoin(address, nameplate)).isAllowed
  for (let turn = 0; turn < 10; turn += 1) expect(await guess('4821')).toBe(true)
  // No misses are left: a thousand more attempts use up nothing, of this address or globally.
  for (let turn = 0; turn < 1000; turn += 1) expect(await guess('4822')).toBe(false)
  for (let turn = 0; turn < 50; turn += 1) expect(await admission.may('joins', address)).toBe(true)
  expect(await admission.may('joins', address)).toBe(false)
})

const hasJoinsLeft = (allowances: InMemoryAllowances) =>
  allowances.take([{ action: 'joins', address: null }])

it('admits an address that joins rarely after others have used up the global allowance', async () => {
  const { admission, allowances } = fresh()
  const join = (from: string) => admission.mayJoin(from, '4821')
  const { burst } = rules.seldomJoins.each
  for (let turn = 0; turn < burst; turn += 1) expect((await join(address)).isAllowed).toBe(true)
  while (await hasJoinsLeft(allowances));
  expect((await join(address)).isAllowed).toBe(false)
  expect((await join('198.51.100.9')).isAllowed).toBe(true)
})

it('returns to the global allowance only what was taken from it', async () => {
  const { admission, allowances } = fresh()
  const misses = { action: 'misses', address: null } as const
  while (await allowances.take([misses]));
  const seldom = await admission.mayJoin(address, '4821')
  if (seldom.guess === null) throw new Error('no guess')
  await admission.hit(seldom.guess)
  expect(await allowances.take([misses])).toBe(false)
})

it('returns allowances to an address per scope', async () => {
  const { allowances } = fresh()
  const once = { action: 'joinsPerNameplate', address, scope: '4821 ' } as const
  const { burst } = rules.joinsPerNameplate.each
  for (let turn = 0; turn < burst; turn += 1) expect(await allowances.take([once])).toBe(true)
  expect(await allowances.take([once])).toBe(false)
  await allowances.giveBack(once)
  expect(await allowances.take([once, once])).toBe(false)
  expect(await allowances.take([once])).toBe(true)
})
