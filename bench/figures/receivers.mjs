// Ten receivers at the same time: how evenly they are served, and how often the source is read. Compared is what each
// got while all of them were receiving.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { host, receive } from '../lib/lab.mjs'
import { spread, spreadDown } from '../lib/rounds.mjs'
import { MiB, writeFile } from '../lib/trees.mjs'
import { FileDisk, MemoryDisk } from '../lib/world.mjs'

const receivers = 10
const bytes = 256 * MiB

/** Bytes that a receiver had at a moment, by the progress that it reported. */
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
  const { sender, code } = await host([join(disk.path, 'large.bin')])
  const outs = Array.from({ length: receivers }, (_, home) => join(memory.path, `out${home}`))
  const all = outs.map((out, home) => receive(code, out, { home }))
  const started = await Promise.all(all.map((program) => program.line('started')))
  const done = await Promise.all(all.map((program) => program.line('done')))
  await Promise.all(all.map((program) => program.ended))
  const used = await sender.stop()
  for (const out of outs) rmSync(out, { recursive: true })
  const begin = Math.max(...started.map(({ atMs }) => atMs)) + 1
  const end = Math.min(...done.map(({ atMs }) => atMs)) - 1
  const got = all.map((program) => bytesAt(program, end) - bytesAt(program, begin))
  const mean = got.reduce((sum, value) => sum + value, 0) / receivers
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
