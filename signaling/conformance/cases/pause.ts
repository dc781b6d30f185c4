import { performance } from 'node:perf_hooks'
import type { Client } from '../client.ts'
import { demand } from '../demand.ts'
import type { TestCase } from '../test-case.ts'
import type { TestContext } from '../test-context.ts'

/** Requires `E_NO_SUCH_CODE` as the response to `ask`, not too early; returns the delay in ms. */
export async function missed(context: TestContext, ask: (client: Client) => void): Promise<number> {
  await context.throttle.take('miss')
  const client = await context.open()
  const askedAt = performance.now()
  ask(client)
  await client.refused('E_NO_SUCH_CODE', 4000)
  const ms = performance.now() - askedAt
  // Timers can fire up to a millisecond early.
  demand(ms > 295, 'an answer after 300 ms', `${Math.round(ms)} ms`)
  return ms
}

/** Section "The pause". */
export const pauseCases: readonly TestCase[] = [
  {
    rule: 'pause-1',
    says: 'E_NO_SUCH_CODE arrives after 300 to 600 ms',
    check: async (context) => {
      for (let time = 0; time < 2; time += 1) {
        await context.throttle.take('join')
        const ms = await missed(context, (client) =>
          client.send({ t: 'join', v: 1, nameplate: context.someNameplate() }),
        )
        // The path to a distant server and a busy machine take part of the time.
        demand(ms < 600 + context.patienceMs / 3, '300 to 600 ms', `${Math.round(ms)} ms`)
      }
    },
  },
  {
    rule: 'pause-2',
    says: 'messages on the socket in the meantime are ignored',
    check: async (context) => {
      await context.throttle.take('join')
      await missed(context, (client) => {
        client.send({ t: 'join', v: 1, nameplate: context.someNameplate() })
        client.send('{"t":"leave"}')
      })
    },
  },
]
