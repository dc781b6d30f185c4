// The cost of the journal and of the hashes for a file of 4 GiB, from memory to memory. The journal: with and without
// receiving.resume=no. The hashes: the time of one end's hashing, measured alone.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { buildDir, shippingPreset } from '../../scripts/native-build.mjs'
import { transfer } from '../lib/lab.mjs'
import { inTurn, ratio, spread } from '../lib/rounds.mjs'
import { GiB, writeFile } from '../lib/trees.mjs'
import { MemoryDisk } from '../lib/world.mjs'

const bytes = 4 * GiB

/** Seconds for hashing at one end. */
const hash = () =>
  Number(
    execFileSync(join(buildDir(shippingPreset), 'thru_bench'), ['hash', String(bytes >> 20)], {
      encoding: 'utf8',
    }),
  )

export async function measure(runs) {
  const disk = new MemoryDisk('memory')
  const source = writeFile(join(disk.path, 'large.bin'), bytes)
  const out = join(disk.path, 'out')
  const took = await inTurn(runs, {
    journal: () => transfer([source], out),
    none: () => transfer([source], out, { joinOptions: ['--set', 'receiving.resume=no'] }),
    hash,
  })
  disk.remove()
  const seconds = (results) => results.map((result) => result.seconds)
  const cpu = (end) => took.journal.map((result) => result[end].cpuSeconds)
  const journal = ratio(seconds(took.journal), seconds(took.none))
  const hashes = ratio(took.hash, seconds(took.journal))
  const both = Object.fromEntries(
    Object.keys(journal).map((key) => [key, Math.max(0, journal[key] - 1) + hashes[key]]),
  )
  return [
    { what: 'with a journal', unit: 's', ...spread(seconds(took.journal)) },
    { what: 'without', unit: 's', ...spread(seconds(took.none)) },
    { what: 'CPU of the sender', unit: 's', ...spread(cpu('sent')) },
    { what: 'CPU of the receiver', unit: 's', ...spread(cpu('received')) },
    { what: 'hashes of one end', unit: 's', ...spread(took.hash) },
    { what: 'with / without journal', ...journal },
    { what: 'hashes / whole', ...hashes },
    { what: 'journal and hashes', atMost: 0.1, ...both },
  ]
}
