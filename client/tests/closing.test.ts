import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { Rig } from './rig'

const rig = new Rig()
afterEach(() => rig.end())

it('closing waits ten seconds for contacts whose file another program holds, and no longer', async () => {
  const { client, clock, stateDir } = rig.station()
  const lock = join(stateDir, 'contacts.json.lock')
  mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }))
  const prepared = client.contacts.prepare()
  const closed = client.close()
  await clock.untilDelay(10_000)
  clock.advance(10_000)
  await closed
  // It continues in the background for as long as the program runs.
  rmSync(lock)
  expect(await prepared).toMatchObject({ ok: true })
})
