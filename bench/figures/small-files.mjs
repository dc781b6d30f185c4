// 10,000 files of 6 kB must take barely longer than one file of the same total size, from memory to memory.
import { join } from 'node:path'
import { transfer } from '../lib/lab.mjs'
import { inTurn, ratio, spread } from '../lib/rounds.mjs'
import { writeFile, writeFiles } from '../lib/trees.mjs'
import { MemoryDisk } from '../lib/world.mjs'

const count = 10_000
const bytes = 6000
/** Seconds that the goal allows for this number of files in any case. */
const allowance = 0.2

export async function measure(runs) {
  const disk = new MemoryDisk('memory')
  const small = writeFiles(join(disk.path, 'small'), count, bytes)
  const large = writeFile(join(disk.path, 'large.bin'), count * bytes)
  const out = join(disk.path, 'out')
  const run = async (path) => {
    const { seconds, sent, received } = await transfer([path], out)
    return { seconds, cpu: sent.cpuSeconds + received.cpuSeconds }
  }
  const took = await inTurn(runs, { small: () => run(small), large: () => run(large) })
  disk.remove()
  const of = (name, field) => took[name].map((result) => result[field])
  const beyond = of('small', 'seconds').map((value) => value - allowance)
  return [
    { what: '10,000 x 6 kB', unit: 's', ...spread(of('small', 'seconds')) },
    { what: 'one file of 60 MB', unit: 's', ...spread(of('large', 'seconds')) },
    { what: 'CPU of 10,000, both ends', unit: 's', ...spread(of('small', 'cpu')) },
    { what: 'CPU of one, both ends', unit: 's', ...spread(of('large', 'cpu')) },
    { what: '(small - 0.2 s) / one', atMost: 1.3, ...ratio(beyond, of('large', 'seconds')) },
  ]
}
