import { expect, it } from 'vitest'
import { parseProxyUrl } from '#shared/settings/proxy-url'
import { draftOf, proxyFrom, withField } from '../view/proxy-draft'

const typed = (more: Partial<ReturnType<typeof draftOf>>) =>
  proxyFrom({ ...draftOf(null), address: 'http://proxy.example:8080', ...more })

it('a proxy needs only an address, whose default scheme is HTTP', () => {
  expect(typed({})).toEqual({ ok: true, value: 'http://proxy.example:8080' })
  expect(typed({ address: ' proxy.example:3128 ' })).toEqual({
    ok: true,
    value: 'http://proxy.example:3128',
  })
  expect(typed({ address: 'socks5://[2001:db8::1]' })).toEqual({
    ok: true,
    value: 'socks5://[2001:db8::1]:1080',
  })
})

it("user and password are encoded, so that they can't be mistaken for the address", () => {
  expect(typed({ user: ' dana ', password: 'p@ss:/ ' })).toEqual({
    ok: true,
    value: 'http://dana:p%40ss%3A%2F%20@proxy.example:8080',
  })
})

it('those of a pasted address apply if their fields are empty', () => {
  const address = 'http://mina:old@proxy.example:8080'
  expect(typed({ address })).toEqual({ ok: true, value: address })
  expect(typed({ address, user: 'dana', password: 'new' })).toEqual({
    ok: true,
    value: 'http://dana:new@proxy.example:8080',
  })
})

it('a changed setting starts without the password, which is kept unless another one is typed', () => {
  const draft = draftOf(parseProxyUrl('https://dana:…@proxy.example:443'))
  const address = 'https://proxy.example:443'
  expect(draft).toEqual({ address, user: 'dana', password: '', keepsPassword: true })
  const setting = (changed: typeof draft) => proxyFrom(changed)
  const kept = 'https://dana:%E2%80%A6@proxy.example:443'
  expect(setting(draft)).toEqual({ ok: true, value: kept })
  const typed = withField(withField(draft, 'password', 'new'), 'password', '')
  expect(setting(typed)).toEqual({ ok: true, value: kept })
  const other = 'https://dana:@other.example:443'
  expect(setting(withField(draft, 'address', 'https://other.example'))).toEqual({
    ...{ ok: true, value: other },
  })
  const mina = 'https://mina:@proxy.example:443'
  expect(setting(withField(draft, 'user', 'mina'))).toEqual({ ok: true, value: mina })
})

it('each invalid field is refused by name', () => {
  for (const address of [
    '',
    'ftp://proxy.example',
    'http://',
    'http://proxy.example/path',
    'a b',
  ]) {
    expect(typed({ address })).toEqual({ ok: false, error: 'address' })
  }
  expect(typed({ password: 'secret' })).toEqual({ ok: false, error: 'user' })
  expect(typed({ user: 'da:na', password: 'x' })).toEqual({ ok: false, error: 'credentials' })
  expect(typed({ user: 'x'.repeat(1000), password: 'x' })).toEqual({
    ok: false,
    error: 'credentials',
  })
  const address = 'socks5://proxy.example'
  expect(typed({ address, user: 'dana', password: 'x'.repeat(256) })).toEqual({
    ok: false,
    error: 'credentials',
  })
})
