import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { HistoryStore } from '#client/history/history-store'
import { accepted, offerTo } from '../engine-events'
import { Rig } from '../rig'
import { joinShare, openShare } from '../transfers'

const rig = new Rig()
afterEach(() => rig.end())

it('closing waits at most ten seconds for contacts whose file another program holds', async () => {
  const { client, clock, stateDir } = rig.station()
  const lock = join(stateDir, 'contacts.json.lock')
  mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }))
  const prepared = client.contacts.prepare()
  const closed = client.close()
  await clock.untilDelay(10_000)
  clock.advance(10_000)
  await closed
  // It continues in the background while the program runs.
  rmSync(lock)
  expect(await prepared).toMatchObject({ ok: true })
})

it('finished transfers are recorded although the engine hangs with a disk', async () => {
  await rig.startServer()
  const { code } = await openShare(rig.station())
  const receiver = rig.station({ keepsHistory: true })
  const { client, engine, stateDir } = receiver
  const { receive, line } = await joinShare(receiver, code)
  offerTo(receiver, line)
  client.receives.get(receive)?.accept({ directory: '/in' })
  engine.emit(accepted(line))
  let closed = (): void => undefined
  engine.closing = new Promise((resolve) => (closed = resolve))
  const closing = client.close()
  const history = new HistoryStore({ directory: stateDir, onError: () => undefined })
  const query = { text: '', filter: 'all', offset: 0, limit: 10 } as const
  await expect.poll(async () => (await history.list(query)).total).toBe(1)
  closed()
  await closing
})
