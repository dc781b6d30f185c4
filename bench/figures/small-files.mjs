// 10,000 files of 6 kB take hardly longer than one file of as many bytes, from memory to memory.
import { join } from 'node:path'
import { transfer } from '../lib/lab.mjs'
import { inTurn, ratio, spread } from '../lib/rounds.mjs'
import { writeFile, writeFiles } from '../lib/trees.mjs'
import { MemoryDisk } from '../lib/world.mjs'

const count = 10_000
const bytes = 6000
/** Of the promise: what so many files may take in any case, in seconds. */
const allowance = 0.2

export async function measure(runs) {
  const disk = new MemoryDisk('memory')
  const small = writeFiles(join(disk.path, 'small'), count, bytes)
  const large = writeFile(join(disk.path, 'large.bin'), count * bytes)
  const out = join(disk.path, 'out')
  const seconds = async (path) => (await transfer([path], out)).seconds
  const took = await inTurn(runs, { small: () => seconds(small), large: () => seconds(large) })
  disk.remove()
  const beyond = took.small.map((value) => value - allowance)
  return [
    { what: '10,000 x 6 kB', unit: 's', ...spread(took.small) },
    { what: 'one file of 60 MB', unit: 's', ...spread(took.large) },
    { what: '(small - 0.2 s) / one', atMost: 1.3, ...ratio(beyond, took.large) },
  ]
}
