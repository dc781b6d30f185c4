/** Computers that change their address, and networks that disappear for a while, during a transfer. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linesOf, type Thru } from '../thru'
import { hashTree, writeTree } from '../tree'
import { openScene, scene } from './opened-scene'
import { gapLimitMs, isLong, networkTestMs, slowMbit, usualMbit } from './patience'

const MiB = 1024 * 1024

describe.skipIf(process.platform !== 'linux')('a transfer', { timeout: networkTestMs }, () => {
  openScene()
  beforeAll(() =>
    writeTree(scene.at('src'), { 'a.bin': randomBytes(20 * MiB), 'b.bin': randomBytes(20 * MiB) }),
  )
  beforeEach(() => scene.network.setSpeed(slowMbit))
  afterEach(async () => {
    await scene.stopPrograms()
    for (const side of ['host', 'join'] as const) scene.network.restoreAddress(side)
  })

  const inTheMiddle = async (receiver: Thru): Promise<void> => {
    await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > 4 * MiB)
  }

  /** Lifts the speed limit and expects more data than was in flight. */
  async function expectData(receiver: Thru): Promise<void> {
    scene.network.setSpeed(usualMbit)
    const begunAtMs = performance.now()
    const before = Number((await receiver.lines('progress', 1)).at(-1)?.['bytes'])
    await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > before + 4 * MiB)
    if (isLong) expect(performance.now() - begunAtMs).toBeLessThan(gapLimitMs)
  }

  /** Expects all data; returns the number of the receiver's searches for its sender. */
  async function searchesUntilEnd(receiver: Thru, target: string): Promise<number> {
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(0)
    expect(hashTree(scene.at(target, 'src'))).toEqual(hashTree(scene.at('src')))
    return linesOf(stdout).filter(({ type }) => type === 'reconnecting').length
  }

  // A busy computer could use the server to reconnect before QUIC has followed the change.
  describe('without a server', () => {
    afterEach(() => scene.resumeServer())

    it.each(['join', 'host'] as const)(
      'NET-09: continues over the same connection when the %s changes its address',
      async (side) => {
        const { sender, code } = await scene.hostWithCode([scene.at('src')])
        const receiver = scene.join(code, scene.at(`dst-${side}`))
        await inTheMiddle(receiver)
        scene.pauseServer()
        scene.network.changeAddress(side)
        await expectData(receiver)
        expect(await searchesUntilEnd(receiver, `dst-${side}`)).toBe(0)
        await sender.line('done')
      },
    )

    it(
      'NET-05: continues over the same connection after a network outage',
      { tags: ['full'] },
      async () => {
        const { sender, code } = await scene.hostWithCode([scene.at('src')])
        const receiver = scene.join(code, scene.at('dst-away'))
        await inTheMiddle(receiver)
        scene.pauseServer()
        scene.network.setDirectPath(false)
        for (const each of [receiver, sender]) {
          await each.lineWhere('stalled', ({ reason }) => reason === 'network')
        }
        scene.network.setDirectPath(true)
        await expectData(receiver)
        expect(await searchesUntilEnd(receiver, 'dst-away')).toBe(0)
        await sender.line('done')
      },
    )
  })

  it(
    'NET-09: reconnects over the server behind a router that admits only answers',
    { tags: ['full'] },
    async () => {
      scene.network.setRouter('host', 'port-restricted')
      try {
        const { code } = await scene.hostWithCode([scene.at('src')])
        const receiver = scene.join(code, scene.at('dst-restricted'))
        await inTheMiddle(receiver)
        scene.network.changeAddress('join')
        await expectData(receiver)
        expect(await searchesUntilEnd(receiver, 'dst-restricted')).toBeGreaterThan(0)
      } finally {
        scene.network.setRouter('host', 'open')
      }
    },
  )

  it(
    'NET-09: continues when both computers change their address at once',
    { tags: ['full'] },
    async () => {
      const { sender, code } = await scene.hostWithCode([scene.at('src')])
      const receiver = scene.join(code, scene.at('dst-both'))
      await inTheMiddle(receiver)
      for (const side of ['host', 'join'] as const) scene.network.changeAddress(side)
      await expectData(receiver)
      await searchesUntilEnd(receiver, 'dst-both')
      await sender.line('done')
    },
  )
})
