/**
 * Tests that take minutes and gigabytes of disk; they run only in `npm run test:long`.
 *
 * @module-tag full
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { hashTree } from '../tree'
import { openScene, scene } from './opened-scene'
import { peakMiB } from './scene'

const MiB = 1024 * 1024
const isWanted = process.platform === 'linux' && process.env['THRU_LONG_TESTS'] === '1'

describe.skipIf(!isWanted)('a transfer with little memory', { timeout: 600_000 }, () => {
  openScene()
  afterEach(async () => {
    await scene.stopPrograms()
    for (const folder of ['src', 'dst']) {
      rmSync(scene.at(folder), { recursive: true, force: true })
    }
  })

  it.each([
    ['1,000 files of 1 MiB', (folder: string) => writeMany(folder, 1000, MiB)],
    ['10,000 files of 6 kB', (folder: string) => writeMany(folder, 10_000, 6000)],
    ['a file of 1 GiB', (folder: string) => writeLarge(join(folder, 'large.bin'), 1024)],
    [
      'a file beyond 4 GiB with a hole',
      (folder: string) => writeSparse(join(folder, 'sparse.bin')),
    ],
  ])('brings %s', async (what, write) => {
    mkdirSync(scene.at('src'))
    write(scene.at('src'))
    const startedAtMs = performance.now()
    const { sent, received } = await scene.transfer([scene.at('src')], scene.at('dst'))
    const seconds = (performance.now() - startedAtMs) / 1000
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(scene.at('dst', 'src'))).toEqual(hashTree(scene.at('src')))
    const [sender, receiver] = [peakMiB(sent), peakMiB(received)]
    const peaks = `peak memory ${sender.toFixed(0)} and ${receiver.toFixed(0)} MiB`
    console.log(`${what}: ${seconds.toFixed(1)} s with start and end, ${peaks}`)
    expect(sender).toBeLessThan(200)
    expect(receiver).toBeLessThan(200)
  })
})

function writeMany(folder: string, count: number, bytes: number): void {
  for (let index = 0; index < count; index += 1) {
    const below = join(folder, String(index % 100))
    mkdirSync(below, { recursive: true })
    writeFileSync(join(below, `${index}.bin`), randomBytes(bytes))
  }
}

function writeLarge(path: string, mebibytes: number): void {
  const file = openSync(path, 'w')
  for (let index = 0; index < mebibytes; index += 1) writeSync(file, randomBytes(MiB))
  closeSync(file)
}

/** Writes data before and after 4 GiB, and a hole between. */
function writeSparse(path: string): void {
  writeFileSync(path, randomBytes(MiB))
  truncateSync(path, 4096 * MiB + 1)
  writeFileSync(path, randomBytes(MiB), { flag: 'a' })
}
