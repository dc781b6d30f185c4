import { expect, it } from 'vitest'
import { systemRandom } from '#signaling/random'
import { startTestServer } from './test-server.ts'

it('draws the pause between 300 and 600 ms', async () => {
  const drawn: (readonly [number, number])[] = []
  const server = await startTestServer({
    random: {
      bytes: systemRandom.bytes,
      between: (from, below) => {
        drawn.push([from, below])
        return from
      },
    },
  })
  const joiner = await server.connect()
  joiner.send({ t: 'join', v: 1, nameplate: '4821' })
  await joiner.processed()
  expect(drawn).toEqual([[300, 601]])
})

it("keeps no data of a joiner that doesn't wait for the response", async () => {
  const server = await startTestServer()
  const before = server.clock.pending
  const joiner = await server.connect()
  joiner.send({ t: 'join', v: 1, nameplate: '4821' })
  await joiner.processed()
  expect(server.clock.pending).toBe(before + 1)
  joiner.socket.close()
  await joiner.closed
  await expect.poll(() => server.clock.pending).toBe(before)
})
