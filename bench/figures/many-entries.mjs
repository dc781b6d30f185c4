// Memory for a million entries at both ends, less that of one file, while transferring a million empty files.
import { join } from 'node:path'
import { transfer } from '../lib/lab.mjs'
import { spread } from '../lib/rounds.mjs'
import { MiB, writeFile, writeFiles } from '../lib/trees.mjs'
import { MemoryDisk } from '../lib/world.mjs'

export async function measure() {
  const disk = new MemoryDisk('memory')
  const many = writeFiles(join(disk.path, 'many'), 990_000, 0)
  const one = writeFile(join(disk.path, 'one.bin'), 1000)
  const out = join(disk.path, 'out')
  // One run is enough: memory hardly varies.
  const few = await transfer([one], out)
  const all = await transfer([many], out)
  disk.remove()
  const growth = (end) => (all[end].peakBytes - few[end].peakBytes) / MiB
  return [
    { what: 'whole transfer', unit: 's', ...spread([all.seconds]) },
    { what: 'sender, 1,000,000 entries', unit: 'MiB', atMost: 200, ...spread([growth('sent')]) },
    {
      what: 'receiver, 1,000,000 entries',
      unit: 'MiB',
      atMost: 200,
      ...spread([growth('received')]),
    },
  ]
}
