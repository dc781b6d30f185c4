import { expect, it } from 'vitest'
import { Library } from '../storage/library'
import { browser } from './tabs'

it('deletes no receive that another tab uses', async () => {
  const { tab, settle } = browser()
  const [locks, others] = [tab(), tab()]
  const [own, other] = [new Library(null, locks), new Library(null, others)]
  const opened = own.open('mina')
  settle()
  expect((await opened).id).toBe('mina')
  const refused = other.delete('mina')
  settle()
  expect(await refused).toBe(false)
  expect(await own.delete('mina')).toBe(true)
  const free = other.delete('mina')
  settle()
  expect(await free).toBe(true)
  // A deleted receive has no lock.
  const taken = locks.take('receive mina')
  settle()
  expect(await taken).toBe(true)
})
