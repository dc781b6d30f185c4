// The effect of a receiver limited to 1 MiB/s on three others.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { host, receive } from '../lib/lab.mjs'
import { inTurn, ratio, spread } from '../lib/rounds.mjs'
import { GiB, writeFile } from '../lib/trees.mjs'
import { MemoryDisk } from '../lib/world.mjs'

const fast = 3

/** Returns the fast receivers' mean seconds from their start to completion. */
async function run(disk, hasSlow) {
  const { sender, code } = await host([join(disk.path, 'large.bin')])
  const slowOut = join(disk.path, 'slow')
  const slow = hasSlow && receive(code, slowOut, { home: fast, options: ['--limit-down', '1MiB'] })
  if (slow) await slow.line('started')
  const outs = Array.from({ length: fast }, (_, home) => join(disk.path, `out${home}`))
  const all = outs.map((out, home) => receive(code, out, { home }))
  const done = await Promise.all(all.map((program) => program.line('done')))
  await Promise.all(all.map((program) => program.ended))
  if (slow) await slow.stop()
  await sender.stop()
  for (const out of [...outs, slowOut]) rmSync(out, { recursive: true, force: true })
  return done.reduce((sum, { durationMs }) => sum + durationMs / 1000, 0) / fast
}

export async function measure(runs) {
  const disk = new MemoryDisk('memory')
  writeFile(join(disk.path, 'large.bin'), GiB / 2)
  const took = await inTurn(runs, { with: () => run(disk, true), without: () => run(disk, false) })
  disk.remove()
  return [
    { what: 'three receivers', unit: 's', ...spread(took.without) },
    { what: 'three and a slow one', unit: 's', ...spread(took.with) },
    { what: 'with / without', atMost: 1.1, ...ratio(took.with, took.without) },
  ]
}
