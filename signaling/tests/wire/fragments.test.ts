import { expect, it } from 'vitest'
import { startTestServer } from './test-server.ts'

it('SIG-04: closes a message that comes in more than 64 fragments', async () => {
  const server = await startTestServer({ maxWsConnectionsPerAddress: 60, wsConnectionsBurst: 60 })
  const attackers = await Promise.all(Array.from({ length: 50 }, () => server.connect()))
  for (const { socket } of attackers) {
    for (let fragment = 0; fragment < 1000; fragment += 1) socket.send('a', { fin: false })
  }
  expect(await Promise.all(attackers.map(({ closed }) => closed))).toEqual(Array(50).fill(1008))
  await server.host()
})

it('reads a message that comes in a few fragments', async () => {
  const server = await startTestServer()
  const client = await server.connect()
  client.socket.send('{"t":"ho', { fin: false })
  client.socket.send('st","v"', { fin: false })
  client.socket.send(':1}', { fin: true })
  await client.next('hosted')
})
