// Kills a receive of 100,000 files halfway and measures the time from the next connection to its first new byte.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { goOnAfterKill } from '../lib/interrupted.mjs'
import { spread, spreadDown } from '../lib/rounds.mjs'
import { writeFiles } from '../lib/trees.mjs'
import { FileDisk } from '../lib/world.mjs'

const files = 100_000
const bytes = 6000

export async function measure(runs) {
  const disk = new FileDisk('disk', 4)
  const source = writeFiles(join(disk.path, 'source'), files, bytes)
  const out = join(disk.path, 'out')
  const results = []
  for (let round = 0; round < runs; round += 1) {
    results.push(await goOnAfterKill(source, out, { bytes: (files * bytes) / 2, rate: '100MB' }))
    rmSync(out, { recursive: true })
  }
  disk.remove()
  const of = (field) => results.map((result) => result[field])
  return [
    { what: 'connected to first new byte', unit: 's', atMost: 2, ...spread(of('firstByte')) },
    { what: 'of it, preparing', unit: 's', ...spread(of('preparing')) },
    { what: 'CPU until then', unit: 's', ...spread(of('cpu')) },
    { what: 'resumed at', unit: 'MB', ...spreadDown(of('resumed').map((value) => value / 1e6)) },
  ]
}
