import { expect, it } from 'vitest'
import { noDraft, profileFrom } from '../view/server-draft'

const typed = (more: Partial<typeof noDraft>) =>
  profileFrom({ ...noDraft, url: 'wss://a.example:81', ...more }, ['Home'])

it('a server is called like its host unless it has a name', () => {
  const lists = { stun: [], turn: [] }
  expect(typed({})).toEqual({
    ok: true,
    value: { name: 'a.example:81', url: 'wss://a.example:81', ...lists },
  })
  expect(typed({ name: ' Work ', url: ' https://b.example ' })).toMatchObject({
    value: { name: 'Work', url: 'https://b.example' },
  })
})

it('STUN and TURN servers have spaces or commas between them', () => {
  const turn = 'turn:u:p%40@t.example:3478?transport=tcp'
  expect(typed({ stun: 'stun:a.example, stun:[2001:db8::1]:19302', turn })).toMatchObject({
    value: { stun: ['stun:a.example', 'stun:[2001:db8::1]:19302'], turn: [turn] },
  })
})

it('what makes no sense is refused by what it is', () => {
  const long = 'x'.repeat(65)
  for (const url of ['', 'a.example', 'ftp://a', 'ws://', 'wss://u:p@a', 'wss://a/?q', 'ws://[']) {
    expect(typed({ url })).toEqual({ ok: false, error: 'address' })
  }
  expect(typed({ url: `wss://${'a'.repeat(600)}` })).toEqual({ ok: false, error: 'address' })
  expect(typed({ name: 'Home' })).toEqual({ ok: false, error: 'taken' })
  expect(typed({ name: long })).toEqual({ ok: false, error: 'name' })
  expect(typed({ name: 'a\u0007b' })).toEqual({ ok: false, error: 'name' })
  expect(typed({ stun: 'a.example' })).toEqual({ ok: false, error: 'stun' })
  expect(typed({ stun: 'stun:a '.repeat(9) })).toEqual({ ok: false, error: 'stun' })
  expect(typed({ turn: 'turn:a.example' })).toEqual({ ok: false, error: 'turn' })
})
