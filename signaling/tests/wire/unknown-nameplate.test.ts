import { expect, it } from 'vitest'
import { systemRandom } from '#signaling/random'
import { startTestServer } from './test-server.ts'

it('answers after a random pause, the same for unknown and ended nameplates', async () => {
  const pauses = [300, 600]
  const server = await startTestServer({
    random: {
      bytes: systemRandom.bytes,
      // Nameplates are drawn from 1000 up, pauses below.
      between: (from) => (from === 300 ? (pauses.shift() ?? 0) : from),
    },
  })
  const { client, nameplate } = await server.host()
  client.send({ t: 'leave' })
  await client.closed

  for (const [asked, pause] of [
    [nameplate, 300],
    ['9999', 600],
  ] as const) {
    const joiner = await server.connect()
    joiner.send({ t: 'join', v: 1, nameplate: asked })
    await joiner.processed()
    server.clock.advance(pause - 1)
    await joiner.processed()
    expect(joiner.unread).toEqual([])
    server.clock.advance(1)
    expect(await joiner.next('error')).toEqual({ t: 'error', code: 'E_NO_SUCH_CODE' })
    expect(await joiner.closed).toBe(4000)
  }
})

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

it('keeps nothing of a joiner that does not wait for the answer', async () => {
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
