// One to eight simultaneous receivers of one share, from memory to memory: their total rate and the sender's cost.
// First without a limit, with all programs sharing the processors; then over links that carry 400 Mbit/s in total.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { receiveAtOnce } from '../lib/lab.mjs'
import { inTurn, ratio, spread, spreadDown } from '../lib/rounds.mjs'
import { MiB, writeFile } from '../lib/trees.mjs'
import { MemoryDisk } from '../lib/world.mjs'

const counts = [1, 2, 4, 8]
const fastBytes = 256 * MiB
const limitedBytes = 32 * MiB
const limitMbit = 400

const tc = (...args) => execFileSync('tc', args)

function limitLinks(count) {
  const rate = `${limitMbit / count}mbit`
  for (let home = 0; home < count; home += 1) {
    const link = ['dev', `e${home}`, 'root', 'tbf', 'rate', rate]
    tc('qdisc', 'replace', ...link, 'burst', '128kb', 'latency', '50ms')
  }
}

function freeLinks(count) {
  for (let home = 0; home < count; home += 1) tc('qdisc', 'del', 'dev', `e${home}`, 'root')
}

async function run(disk, name, bytes, count) {
  const { started, done, used } = await receiveAtOnce([join(disk.path, name)], count, disk.path)
  const seconds = (done.last - started.first) / 1000
  return {
    rate: (count * bytes) / 1e9 / seconds,
    cpuSeconds: used.cpuSeconds,
    reads: used.readCallBytes / bytes,
    peak: used.peakBytes / MiB,
  }
}

/** Measures `run` for each number of receivers, less the CPU of equally many one-byte transfers. */
async function measureCounts(
  disk,
  runs,
  name,
  bytes,
  { before = () => {}, after = () => {} } = {},
) {
  const ways = {}
  for (const count of counts) {
    ways[`tiny${count}`] = () => run(disk, 'tiny.bin', 1, count)
    ways[count] = async () => {
      before(count)
      const result = await run(disk, name, bytes, count)
      after(count)
      return result
    }
  }
  const took = await inTurn(runs, ways)
  const of = (count, field) => took[count].map((result) => result[field])
  const cpu = (count) =>
    took[count].map(
      ({ cpuSeconds }, round) =>
        (cpuSeconds - took[`tiny${count}`][round].cpuSeconds) / ((count * bytes) / 1e9),
    )
  return { of, cpu }
}

export async function measure(runs) {
  const disk = new MemoryDisk('memory')
  writeFile(join(disk.path, 'large.bin'), fastBytes)
  writeFile(join(disk.path, 'small.bin'), limitedBytes)
  writeFile(join(disk.path, 'tiny.bin'), 1)
  const free = await measureCounts(disk, runs, 'large.bin', fastBytes)
  const rows = counts.flatMap((count) => [
    { what: `${count} at once, in sum`, unit: 'GB/s', ...spreadDown(free.of(count, 'rate')) },
    { what: `${count}, CPU of the sender`, unit: 's/GB', ...spread(free.cpu(count)) },
    { what: `${count}, source read by calls`, unit: 'times', ...spread(free.of(count, 'reads')) },
    { what: `${count}, memory of the sender`, unit: 'MiB', ...spread(free.of(count, 'peak')) },
  ])
  const limits = { before: limitLinks, after: freeLinks }
  const limited = await measureCounts(disk, runs, 'small.bin', limitedBytes, limits)
  disk.remove()
  return [
    ...rows,
    ...counts.map((count) => ({
      what: `${count} at once over ${limitMbit} Mbit/s, in sum`,
      unit: 'GB/s',
      ...spreadDown(limited.of(count, 'rate')),
    })),
    {
      what: '8 / 1 over them',
      atLeast: 0.9,
      ...ratio(limited.of(8, 'rate'), limited.of(1, 'rate')),
    },
  ]
}
