import { expect, it } from 'vitest'
import { DirectPermit } from '../direct-permit'

it('keeps one attempt at the server after a direct stream was lost', () => {
  const permit = new DirectPermit()
  expect(permit.take(0)).toBe(true)
  permit.lose()
  expect(permit.take(1)).toBe(false)
  expect(permit.take(1)).toBe(true)
})

it('leaves a server that would not carry everything', () => {
  const permit = new DirectPermit()
  permit.learn({ bytes: 1000, bytesPerSec: 1000 })
  permit.lose()
  expect(permit.take(1001)).toBe(true)
  permit.lose()
  expect(permit.take(1000)).toBe(false)
})
