// CPU seconds per GB at each end, and the growth of the sender's memory, for one large file sent from memory to memory.
// Frames of the local network have 1,500 or 9,000 bytes; the cost of a one-byte transfer is subtracted.
import { join } from 'node:path'
import { transfer } from '../lib/lab.mjs'
import { inTurn, ratio, spread, spreadDown } from '../lib/rounds.mjs'
import { GiB, MiB, writeFile } from '../lib/trees.mjs'
import { MemoryDisk, setMtu } from '../lib/world.mjs'

const bytes = 2 * GiB

export async function measure(runs) {
  const disk = new MemoryDisk('memory')
  const large = writeFile(join(disk.path, 'large.bin'), bytes)
  const tiny = writeFile(join(disk.path, 'tiny.bin'), 1)
  const out = join(disk.path, 'out')
  const withFrames = (mtu) => () => {
    setMtu(0, mtu)
    return transfer([large], out)
  }
  const took = await inTurn(runs, {
    tiny: () => transfer([tiny], out),
    usual: withFrames(1500),
    jumbo: withFrames(9000),
  })
  setMtu(0, 1500)
  disk.remove()
  const gigabytes = bytes / 1e9
  const cpu = (frames, end) =>
    took[frames].map(
      (result, round) => (result[end].cpuSeconds - took.tiny[round][end].cpuSeconds) / gigabytes,
    )
  const rate = (frames) => took[frames].map(({ seconds }) => gigabytes / seconds)
  const grown = took.usual.map(
    ({ sent }, round) => (sent.peakBytes - took.tiny[round].sent.peakBytes) / MiB,
  )
  const rows = (frames, mtu) => [
    { what: `rate, frames of ${mtu}`, unit: 'GB/s', ...spreadDown(rate(frames)) },
    { what: `CPU of the sender, ${mtu}`, unit: 's/GB', ...spread(cpu(frames, 'sent')) },
    { what: `CPU of the receiver, ${mtu}`, unit: 's/GB', ...spread(cpu(frames, 'received')) },
  ]
  return [
    ...rows('usual', 1500),
    ...rows('jumbo', 9000),
    {
      what: 'CPU of the sender, 9000 / 1500',
      ...ratio(cpu('jumbo', 'sent'), cpu('usual', 'sent')),
    },
    {
      what: 'CPU of the receiver, 9000 / 1500',
      ...ratio(cpu('jumbo', 'received'), cpu('usual', 'received')),
    },
    { what: "growth of the sender's memory", unit: 'MiB', atMost: 100, ...spread(grown) },
  ]
}
