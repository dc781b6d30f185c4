/** Measured paths: from the engine to the file, and to the engine of the next program. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { EngineCommand, SavedPath } from '#client/engine'
import { Rig, type Station } from '#client/tests/rig'

const rig = new Rig()
afterEach(() => rig.end())

const hourMs = 3_600_000

const path = (network: string, window = 1_000_000): SavedPath => ({
  ...{ network, window, roundTripNs: 100_000_000, lifetimeMs: hourMs },
})

const measure = ({ engine }: Station, ...paths: readonly SavedPath[]): void => {
  for (const each of paths) engine.emit({ type: 'path-saved', session: 0, ...each })
}

const posted = ({ engine }: Station): readonly EngineCommand[] =>
  engine.commands.filter(({ type }) => type === 'set-saved-paths')

const start = (options: { stateDir?: string; keepsHistory?: boolean } = {}): Station =>
  rig.station({ serverUrl: 'ws://127.0.0.1:1', keepsHistory: true, ...options })

/** A later program with the same files, started `afterMs` later. */
async function restarted({ client, clock, stateDir }: Station, afterMs = 0): Promise<Station> {
  await client.close()
  clock.advance(afterMs)
  return rig.station({ serverUrl: 'ws://127.0.0.1:1', keepsHistory: true, stateDir, clock })
}

it('the next program gets them, newest first, with the rest of their lifetime', async () => {
  const first = start()
  expect(posted(first)).toEqual([])
  measure(first, path('home'), path('office'), path('home', 2_000_000))
  const second = await restarted(first, 60_000)
  const lifetimeMs = hourMs - 60_000
  expect(posted(second)).toEqual([
    {
      type: 'set-saved-paths',
      paths: [
        { ...path('home', 2_000_000), lifetimeMs },
        { ...path('office'), lifetimeMs },
      ],
    },
  ])
  expect(posted(await restarted(second, hourMs))).toEqual([])
})

it('they are private, bounded, and removed if wrong', async () => {
  const first = start()
  measure(first, path('0'))
  await first.client.close()
  const file = join(first.stateDir, 'paths.json')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  const entry = { ...path('0'), untilMs: first.clock.now() + hourMs }
  const paths = Array.from({ length: 64 }, (_, number) => ({ ...entry, network: `${number}` }))
  writeFileSync(file, JSON.stringify({ version: 1, paths }))
  const second = await restarted(first)
  measure(second, path('new'), path('new', 0), path('newer'), path('5', 0))
  const [command] = posted(await restarted(second))
  const networks = command?.type === 'set-saved-paths' ? command.paths : []
  const kept = Array.from({ length: 63 }, (_, number) => `${number}`)
  expect(networks.map(({ network }) => network)).toEqual([
    'newer',
    ...kept.filter((network) => network !== '5'),
  ])
})

it('clearing the history removes them here and in the engine', async () => {
  const first = start()
  measure(first, path('home'))
  await first.client.history.remove(null)
  expect(posted(first)).toEqual([{ type: 'set-saved-paths', paths: [] }])
  const second = await restarted(first)
  expect(posted(second)).toEqual([])
  expect(readFileSync(join(first.stateDir, 'paths.json'), 'utf8')).not.toContain('home')
})

it('a program without history writes none', async () => {
  const first = start({ keepsHistory: false })
  measure(first, path('home'))
  expect(posted(await restarted(first))).toEqual([])
})

it('entries that are not valid are left out', async () => {
  const first = await restarted(start())
  measure(first, path('home'))
  await first.client.close()
  const file = join(first.stateDir, 'paths.json')
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: readonly object[] }
  const wrong = [{ window: -1 }, { window: '1' }, { network: 'x'.repeat(65) }, { untilMs: 1.5 }]
  const content = {
    version: 1,
    paths: [...wrong.map((part) => ({ ...paths[0], ...part })), ...paths],
  }
  writeFileSync(file, JSON.stringify(content))
  const [command] = posted(start({ stateDir: first.stateDir }))
  expect(command).toEqual({ type: 'set-saved-paths', paths: [path('home')] })
})
