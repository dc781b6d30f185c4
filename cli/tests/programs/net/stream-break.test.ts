/**
 * A stream whose line breaks; its data can't be read twice.
 *
 * @module-tag full
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linesOf, type Thru } from '../thru'
import { openScene, scene } from './opened-scene'
import { networkTestMs, slowMbit, usualMbit } from './patience'

const MiB = 1024 * 1024
const isLong = process.env['THRU_LONG_TESTS'] === '1'

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

describe.skipIf(process.platform !== 'linux')('a stream', { timeout: networkTestMs }, () => {
  const data = randomBytes(40 * MiB)

  openScene()
  beforeAll(() => writeFileSync(scene.at('in'), data))
  beforeEach(() => scene.network.setSpeed(slowMbit))

  const host = () => scene.hostWithCode([], ['--run', `cat '${scene.at('in')}'`, '--as', 'data'])
  const inTheMiddle = (receiver: Thru) =>
    receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > 4 * MiB)

  it('loses nothing in an outage, and keeps its connection', async () => {
    const { sender, code } = await host()
    const receiver = scene.join(code, scene.at('dst'))
    await inTheMiddle(receiver)
    const lostFrom = scene.network.countDirectPackets(true)
    // Each side repeats its probes, which takes some seconds.
    for (const side of ['host', 'join'] as const) {
      await expect.poll(() => lostFrom(side), { timeout: networkTestMs }).toBeGreaterThan(9)
    }
    scene.network.setDirectPath(true)
    scene.network.setSpeed(usualMbit)
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(0)
    expect(linesOf(stdout).filter(({ type }) => type === 'reconnecting')).toEqual([])
    expect(sha256(readFileSync(scene.at('dst', 'data')))).toBe(sha256(data))
    expect((await sender.ended).exitCode).toBe(0)
  })

  // QUIC gives up a connection after 120 s.
  it.runIf(isLong)('ends on both sides with an error if the outage lasts', async () => {
    const { sender, code } = await host()
    const receiver = scene.join(code, scene.at('dst-lost'))
    await inTheMiddle(receiver)
    scene.network.disconnect('join')
    const { exitCode, stdout } = await receiver.ended
    await scene.network.reconnect('join')
    expect(exitCode).toBe(6)
    expect(linesOf(stdout).find(({ type }) => type === 'error')).toMatchObject({
      code: 'E_STREAM_BROKEN',
    })
    expect(existsSync(scene.at('dst-lost', 'data'))).toBe(false)
    expect((await sender.ended).exitCode).toBe(6)
  })
})
