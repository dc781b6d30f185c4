import { performance } from 'node:perf_hooks'
import type { Case } from '../case.ts'
import type { Client } from '../client.ts'
import { demand } from '../demand.ts'
import type { Kit } from '../kit.ts'

/** The server answers `E_NO_SUCH_CODE` to what `ask` sends, and no earlier than it may; after how many ms. */
export async function missed(kit: Kit, ask: (client: Client) => void): Promise<number> {
  await kit.pace.take('miss')
  const client = await kit.open()
  const askedAt = performance.now()
  ask(client)
  await client.refused('E_NO_SUCH_CODE', 4000)
  const ms = performance.now() - askedAt
  // Timers end up to a millisecond early.
  demand(ms > 295, 'an answer after 300 ms', `${Math.round(ms)} ms`)
  return ms
}

/** How much later than drawn an answer may come: the way there and back, and a busy machine. */
const slackMs = 1500

/** Section "The pause". */
export const pauseCases: readonly Case[] = [
  {
    rule: 'pause-1',
    says: 'E_NO_SUCH_CODE comes after 300 to 600 ms',
    check: async (kit) => {
      for (let time = 0; time < 2; time += 1) {
        await kit.pace.take('join')
        const ms = await missed(kit, (client) =>
          client.send({ t: 'join', v: 1, nameplate: kit.someNameplate() }),
        )
        demand(ms < 600 + slackMs, '300 to 600 ms', `${Math.round(ms)} ms`)
      }
    },
  },
  {
    rule: 'pause-2',
    says: 'nothing more is read from the socket meanwhile',
    check: async (kit) => {
      await kit.pace.take('join')
      await missed(kit, (client) => {
        client.send({ t: 'join', v: 1, nameplate: kit.someNameplate() })
        client.send('{"t":"leave"}')
      })
    },
  },
]
