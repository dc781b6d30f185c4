// Ten receivers at the same time: how evenly they are served, and how often the source is read. Compares the bytes
// that each received while all of them were receiving.
import { join } from 'node:path'
import { receiveAtOnce } from '../lib/lab.mjs'
import { spread, spreadDown } from '../lib/rounds.mjs'
import { MiB, writeFile } from '../lib/trees.mjs'
import { FileDisk, MemoryDisk } from '../lib/world.mjs'

const count = 10
const bytes = 256 * MiB

/** Interpolates a receiver's bytes at a moment from its progress reports. */
function bytesAt({ lines }, atMs) {
  const known = lines.filter(
    ({ type }) => type === 'progress' || type === 'done' || type === 'started',
  )
  const after = known.find((line) => line.atMs >= atMs)
  const before = known.findLast((line) => line.atMs < atMs)
  const of = (line) => line.bytes ?? 0
  const part = (atMs - before.atMs) / (after.atMs - before.atMs)
  return of(before) + part * (of(after) - of(before))
}

async function run(disk, memory) {
  disk.remount()
  const sent = [join(disk.path, 'large.bin')]
  const { receivers, started, done, used } = await receiveAtOnce(sent, count, memory.path)
  const begin = started.last + 1
  const end = done.first - 1
  const got = receivers.map((receiver) => bytesAt(receiver, end) - bytesAt(receiver, begin))
  const mean = got.reduce((sum, value) => sum + value, 0) / count
  return {
    evenness: Math.min(...got) / mean,
    together: (end - begin) / 1000,
    readCalls: used.readCallBytes / bytes,
    readDisk: used.readDiskBytes / bytes,
    peak: used.peakBytes / MiB,
  }
}

export async function measure(runs) {
  const disk = new FileDisk('disk', 1)
  const memory = new MemoryDisk('memory')
  writeFile(join(disk.path, 'large.bin'), bytes)
  const results = []
  for (let round = 0; round < runs; round += 1) results.push(await run(disk, memory))
  disk.remove()
  memory.remove()
  const of = (field) => results.map((result) => result[field])
  return [
    { what: 'slowest / mean', atLeast: 0.7, ...spreadDown(of('evenness')) },
    { what: 'all ten at once', unit: 's', ...spreadDown(of('together')) },
    { what: 'source read by calls', unit: 'times', ...spread(of('readCalls')) },
    { what: 'source read from the disk', unit: 'times', ...spread(of('readDisk')) },
    { what: 'memory of the sender', unit: 'MiB', ...spread(of('peak')) },
  ]
}
