// Resuming a file must take as long for 100 GiB as for 1 GiB. Both files have 1 GiB of data; the larger one
// has holes in between. The receiver is killed when it has half of each file, 50 GiB of the larger one.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { goOnAfterKill } from '../lib/interrupted.mjs'
import { inTurn, ratio, spread, spreadDown } from '../lib/rounds.mjs'
import { GiB, writeFile, writeSparse } from '../lib/trees.mjs'
import { FileDisk } from '../lib/world.mjs'

export async function measure(runs) {
  const disk = new FileDisk('disk', 5)
  const small = writeFile(join(disk.path, 'small.bin'), GiB)
  const large = writeSparse(join(disk.path, 'large.bin'), 100 * GiB, GiB)
  const out = join(disk.path, 'out')
  const goOn = async (path, bytes) => {
    const result = await goOnAfterKill(path, out, { bytes, rate: '200MiB' })
    rmSync(out, { recursive: true })
    return result
  }
  const took = await inTurn(runs, {
    small: () => goOn(small, GiB / 2),
    large: () => goOn(large, 50 * GiB),
  })
  disk.remove()
  const of = (name, field) => took[name].map((result) => result[field])
  return [
    { what: '1 GiB, to first new byte', unit: 's', ...spread(of('small', 'firstByte')) },
    { what: '100 GiB, to first new byte', unit: 's', ...spread(of('large', 'firstByte')) },
    { what: '1 GiB, preparing', unit: 's', ...spread(of('small', 'preparing')) },
    { what: '100 GiB, preparing', unit: 's', ...spread(of('large', 'preparing')) },
    { what: '1 GiB, CPU until then', unit: 's', ...spread(of('small', 'cpu')) },
    { what: '100 GiB, CPU until then', unit: 's', ...spread(of('large', 'cpu')) },
    {
      what: 'of 100 GiB, resumed at',
      unit: 'GiB',
      ...spreadDown(of('large', 'resumed').map((value) => value / GiB)),
    },
    {
      what: '100 GiB / 1 GiB, to first new byte',
      atMost: 1.1,
      ...ratio(of('large', 'firstByte'), of('small', 'firstByte')),
    },
  ]
}
