import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { TurnService, turnServiceOf } from '#signaling/socket/turn-service'
import { FakeClock } from './fake-clock.ts'

const service = () =>
  new TurnService(
    { turnUrls: ['turn:a.example:3478'], turnSecret: 'north', turnTtl: 600 },
    new FakeClock(),
  )

it('makes the credentials that coturn expects', () => {
  const { username, credential, ...rest } = service().issue('203.0.113.7')
  expect(rest).toEqual({ urls: ['turn:a.example:3478'], ttlS: 600 })
  expect(username).toMatch(/^1700000600:[0-9a-f]{16}$/)
  const expected = createHmac('sha1', 'north').update(username).digest('base64')
  expect(credential).toBe(expected)
})

it('gives one address one name, which does not reveal the address', () => {
  const nameOf = (address: string) => service().issue(address).username.split(':')[1]
  expect(nameOf('203.0.113.7')).toBe(nameOf('203.0.113.7'))
  expect(nameOf('203.0.113.7')).not.toBe(nameOf('203.0.113.8'))
  const unkeyed = createHash('sha256').update('203.0.113.7').digest('hex')
  expect(unkeyed).not.toContain(nameOf('203.0.113.7'))
})

it('exists only with relays', () => {
  const rules = { turnUrls: [], turnSecret: '', turnTtl: 600 }
  expect(turnServiceOf(rules, new FakeClock())).toBeNull()
  expect(turnServiceOf({ ...rules, turnUrls: ['turn:a.example'] }, new FakeClock())).not.toBeNull()
})
