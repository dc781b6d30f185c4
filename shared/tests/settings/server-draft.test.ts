import { expect, it } from 'vitest'
import { noDraft, profileFrom, withPassword } from '../../settings/server-draft'

const typed = (more: Partial<typeof noDraft>) =>
  profileFrom({ ...noDraft, url: 'wss://a.example:81', ...more }, ['Home'])

it('a server is named after its host unless it has a name', () => {
  const lists = { fallbacks: [], stun: [], turn: [] }
  expect(typed({})).toEqual({
    ok: true,
    value: { name: 'a.example:81', url: 'wss://a.example:81', ...lists },
  })
  expect(typed({ name: ' Work ', url: ' https://b.example ' })).toMatchObject({
    value: { name: 'Work', url: 'https://b.example' },
  })
})

it('fallback addresses keep their order', () => {
  const fallbacks = 'ws://c.example:8080 https://b.example'
  expect(typed({ fallbacks })).toMatchObject({ value: { fallbacks: fallbacks.split(' ') } })
})

it('STUN and TURN servers are separated by spaces or commas', () => {
  const turn = 'turn:u:p%40@t.example:3478?transport=tcp'
  expect(typed({ stun: 'stun:a.example, stun:[2001:db8::1]:19302', turn })).toMatchObject({
    value: { stun: ['stun:a.example', 'stun:[2001:db8::1]:19302'], turn: [turn] },
  })
})

it('each invalid field is refused by name', () => {
  const long = 'x'.repeat(65)
  for (const url of ['', 'a.example', 'ftp://a', 'ws://', 'wss://u:p@a', 'wss://a/?q', 'ws://[']) {
    expect(typed({ url })).toEqual({ ok: false, error: 'address' })
  }
  expect(typed({ url: `wss://${'a'.repeat(600)}` })).toEqual({ ok: false, error: 'address' })
  expect(typed({ name: 'Home' })).toEqual({ ok: false, error: 'taken' })
  expect(typed({ name: long })).toEqual({ ok: false, error: 'name' })
  expect(typed({ name: 'a\u0007b' })).toEqual({ ok: false, error: 'name' })
  expect(typed({ fallbacks: 'b.example' })).toEqual({ ok: false, error: 'fallbacks' })
  expect(typed({ fallbacks: 'wss://b '.repeat(4) })).toEqual({ ok: false, error: 'fallbacks' })
  expect(typed({ stun: 'a.example' })).toEqual({ ok: false, error: 'stun' })
  expect(typed({ stun: 'stun:a '.repeat(9) })).toEqual({ ok: false, error: 'stun' })
  expect(typed({ turn: 'turn:a.example' })).toEqual({ ok: false, error: 'turn' })
})

it('a password is trimmed, and an empty one is none', () => {
  expect(typed({ password: ' only-for-the-team ' })).toMatchObject({
    value: { password: 'only-for-the-team' },
  })
  expect(typed({ password: '' })).toHaveProperty('value')
  expect(typed({ password: '' })).not.toHaveProperty('value.password')
  expect(typed({ password: 'x'.repeat(257) })).toEqual({ ok: false, error: 'password' })
})

it('a password is changed, and removed', () => {
  const server = { name: 'Home', url: 'wss://a.example', fallbacks: [], stun: [], turn: [] }
  const known = { ...server, password: 'of-before' }
  expect(withPassword(server, 'of-now')).toEqual({ ...server, password: 'of-now' })
  expect(withPassword(known, 'of-now')).toEqual({ ...server, password: 'of-now' })
  expect(withPassword(known, ' ')).toEqual(server)
  expect(withPassword(known, 'x'.repeat(257))).toBeNull()
})
