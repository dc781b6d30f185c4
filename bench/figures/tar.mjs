// 100,000 files of 6 kB on ext4, compared with tar over TCP, which doesn't encrypt, verify or resume. Both end when
// all data is on the disk; both scan while the clock runs.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { transfer } from '../lib/lab.mjs'
import { inTurn, ratio, spread } from '../lib/rounds.mjs'
import { writeFile, writeFiles } from '../lib/trees.mjs'
import { addressFor, atHome, FileDisk } from '../lib/world.mjs'

const tarEnd = fileURLToPath(new URL('../lib/tar-end.mjs', import.meta.url))
const port = 7000

/** Seconds from the start of tar until all data is on the target's disk. */
async function tar(folder, name, out) {
  mkdirSync(out)
  const source = spawn(process.execPath, [tarEnd, 'send', addressFor(0), port, folder, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => source.stdout.once('data', resolve)) // It is listening.
  const [command, ...args] = [
    ...atHome(0),
    process.execPath,
    tarEnd,
    'receive',
    addressFor(0),
    port,
    out,
  ]
  const target = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => target.stdout.once('data', resolve)) // It is connected.
  const begun = performance.now()
  const exitCode = await new Promise((resolve) => target.on('close', resolve))
  const seconds = (performance.now() - begun) / 1000
  if (exitCode !== 0) throw new Error('tar failed')
  rmSync(out, { recursive: true })
  return seconds
}

export async function measure(runs) {
  const disk = new FileDisk('disk', 6)
  writeFiles(join(disk.path, 'source'), 100_000, 6000)
  const single = writeFile(join(disk.path, 'one.bin'), 1000)
  const out = join(disk.path, 'out')
  const synced = (run) => async () => {
    // Earlier writes and deletions must not count.
    execFileSync('sync', ['-f', disk.path])
    return run()
  }
  const scanOf = ({ sender, scan }) => (scan.atMs - sender.startedAtMs) / 1000
  const took = await inTurn(runs, {
    thru: synced(() => transfer([join(disk.path, 'source')], out)),
    tar: synced(() => tar(disk.path, 'source', out)),
    one: synced(() => transfer([single], out)),
  })
  disk.remove()
  const transfers = took.thru.map(({ seconds }) => seconds)
  const whole = took.thru.map((run, round) => run.seconds + scanOf(run) - scanOf(took.one[round]))
  return [
    { what: 'thru, accepted to done', unit: 's', ...spread(transfers) },
    { what: 'thru, with its scan', unit: 's', ...spread(whole) },
    { what: 'tar over TCP', unit: 's', ...spread(took.tar) },
    { what: 'thru with its scan / tar', atMost: 1.5, ...ratio(whole, took.tar) },
  ]
}
