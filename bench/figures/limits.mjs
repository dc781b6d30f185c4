// Checks that rate limits are met: 20 MiB/s up, down, and up with two receivers.
import { join } from 'node:path'
import { receiveAtOnce } from '../lib/lab.mjs'
import { spread } from '../lib/rounds.mjs'
import { MiB, writeFile } from '../lib/trees.mjs'
import { MemoryDisk } from '../lib/world.mjs'

const bytes = 200 * MiB
const limit = 20 * MiB

/** Returns the relative deviation of the receivers' total rate from the limit. */
async function deviation(disk, { receivers = 1, ...options }) {
  const sent = [join(disk.path, 'large.bin')]
  const { started, done } = await receiveAtOnce(sent, receivers, disk.path, options)
  const rate = (receivers * bytes) / ((done.last - started.first) / 1000)
  return Math.abs(rate / limit - 1)
}

export async function measure(runs) {
  const disk = new MemoryDisk('memory')
  writeFile(join(disk.path, 'large.bin'), bytes)
  const ways = {
    'upload, off by': { hostOptions: ['--limit-up', '20MiB'] },
    'download, off by': { joinOptions: ['--limit-down', '20MiB'] },
    'upload to two, off by': { hostOptions: ['--limit-up', '20MiB'], receivers: 2 },
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
