import { expect, it } from 'vitest'
import { makeConfig } from '#signaling/config/config'
import { passwordTries } from '#signaling/limits/limits'
import { startTestServer } from './test-server.ts'

const password = 'only-for-the-team'
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const shown = { headers: { Authorization: basic(`:${password}`) } }

it('limits attempts without counting sockets for them', async () => {
  const server = await startTestServer({ serverPasswords: [password], wsConnectionsBurst: 1 })
  const wrong = (at: number) => ({ headers: { Authorization: basic(`:guess-${at}`) } })
  for (let at = 0; at < passwordTries.burst; at += 1) {
    expect(await server.refusedWith(wrong(at))).toBe(401)
  }
  expect(await server.refusedWith(wrong(passwordTries.burst))).toBe(429)
  expect(server.log).toContainEqual({ event: 'upgrade-refused', status: 401 })
  server.clock.advance(60_000)
  await server.connect(shown)
})

it('requires another one after a reload, and keeps connected clients', async () => {
  const server = await startTestServer({ serverPasswords: [password] })
  const client = await server.connect(shown)
  const after = makeConfig({ host: '127.0.0.1', port: 0, serverPasswords: ['the-next-password'] })
  if (!after.ok) throw new Error(after.error.detail)
  expect(server.reload(after.value)).toEqual({ ok: true, value: ['server-password-file'] })
  expect(await server.refusedWith(shown)).toBe(401)
  await server.connect({ headers: { Authorization: basic(':the-next-password') } })
  client.send({ t: 'host', v: 1, key: client.key })
  await client.next('hosted')
})

it('checks each client of a trusted proxy separately', async () => {
  const server = await startTestServer({
    serverPasswords: [password],
    trustProxy: ['127.0.0.0/8'],
    host: '127.0.0.1',
  })
  const from = (address: string, text: string) => ({
    headers: { Authorization: basic(text), 'X-Forwarded-For': address },
  })
  for (let at = 0; at < passwordTries.burst; at += 1) {
    await server.refusedWith(from('203.0.113.7', `:guess-${at}`))
  }
  expect(await server.refusedWith(from('203.0.113.7', `:${password}`))).toBe(429)
  await server.connect(from('198.51.100.7', `:${password}`))
})
