// Limits are met: 20 MiB/s up, down, and up with two receivers.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { host, receive } from '../lib/lab.mjs'
import { spread } from '../lib/rounds.mjs'
import { MiB, writeFile } from '../lib/trees.mjs'
import { MemoryDisk } from '../lib/world.mjs'

const bytes = 200 * MiB
const limit = 20 * MiB

/** How far the rate of all receivers together is from the limit, as a part of it. */
async function deviation(disk, { up = [], down = [], receivers = 1 }) {
  const { sender, code } = await host([join(disk.path, 'large.bin')], up)
  const outs = Array.from({ length: receivers }, (_, home) => join(disk.path, `out${home}`))
  const all = outs.map((out, home) => receive(code, out, { home, options: down }))
  const accepted = await Promise.all(all.map((program) => program.line('started')))
  const done = await Promise.all(all.map((program) => program.line('done')))
  await Promise.all(all.map((program) => program.ended))
  await sender.stop()
  for (const out of outs) rmSync(out, { recursive: true })
  const begin = Math.min(...accepted.map(({ atMs }) => atMs))
  const end = Math.max(...done.map(({ atMs }) => atMs))
  const rate = (receivers * bytes) / ((end - begin) / 1000)
  return Math.abs(rate / limit - 1)
}

export async function measure(runs) {
  const disk = new MemoryDisk('memory')
  writeFile(join(disk.path, 'large.bin'), bytes)
  const ways = {
    'upload, off by': { up: ['--limit-up', '20MiB'] },
    'download, off by': { down: ['--limit-down', '20MiB'] },
    'upload to two, off by': { up: ['--limit-up', '20MiB'], receivers: 2 },
  }
  const rows = []
  for (const [what, way] of Object.entries(ways)) {
    const off = []
    for (let round = 0; round < runs; round += 1) off.push(await deviation(disk, way))
    rows.push({ what, unit: '%', atMost: 5, ...spread(off.map((value) => 100 * value)) })
  }
  disk.remove()
  return rows
}
