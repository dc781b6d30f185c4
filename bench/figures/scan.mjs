// Speed of scanning a folder: 200,000 entries on ext4, less the program's startup time.
import { join } from 'node:path'
import { host } from '../lib/lab.mjs'
import { inTurn, spreadDown } from '../lib/rounds.mjs'
import { writeFile, writeFiles } from '../lib/trees.mjs'
import { FileDisk } from '../lib/world.mjs'

const files = 200_000

export async function measure(runs) {
  const disk = new FileDisk('disk', 3)
  const many = writeFiles(join(disk.path, 'many'), files, 0)
  const one = writeFile(join(disk.path, 'one.bin'), 1000)
  const scan = async (path) => {
    const { sender } = await host([path])
    const { atMs, files, folders } = await sender.line('scan')
    await sender.stop()
    return { seconds: (atMs - sender.startedAtMs) / 1000, entries: files + folders }
  }
  const took = await inTurn(runs, { many: () => scan(many), one: () => scan(one) })
  disk.remove()
  const rates = took.many.map(
    ({ seconds, entries }, round) => entries / (seconds - took.one[round].seconds),
  )
  return [{ what: 'scan', unit: 'entries/s', atLeast: 50_000, ...spreadDown(rates) }]
}
