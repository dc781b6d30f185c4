/** Transfers that change from a relay to a direct path, and back. */
import { randomBytes } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#shared/state/app-state'
import { linesOf, type Thru } from '../thru'
import { hashTree, writeTree } from '../tree'
import type { Side } from './network'
import { openScene, scene } from './opened-scene'
import { routesOf } from './scene'
import { startTurnServer, turnOption } from './turn-server'

const MiB = 1024 * 1024

/** Speeds that make a transfer last until a path is found, and end soon afterwards. */
const slow = 20
const fast = 1000

const kindOf = (line: Readonly<Record<string, unknown>>): string => (line['route'] as Route).kind

describe.skipIf(process.platform !== 'linux')('a transfer with a relay', () => {
  let relayLog: () => string

  openScene()
  beforeAll(async () => {
    relayLog = await startTurnServer(scene.network, scene.folder, ['--verbose'])
    writeTree(scene.at('src'), { 'a.bin': randomBytes(64 * MiB), 'b.bin': randomBytes(64 * MiB) })
  })

  async function beginRelayed(target: string): Promise<{ sender: Thru; receiver: Thru }> {
    scene.network.setSpeed(slow)
    scene.network.setDirectPath(false)
    const { sender, code } = await scene.hostWithCode([scene.at('src')], turnOption())
    const receiver = scene.join(code, scene.at(target), turnOption())
    expect(kindOf(await receiver.line('connected'))).toBe('relay')
    await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > MiB)
    return { sender, receiver }
  }

  async function relaysReturned(count: number): Promise<string> {
    while ([...relayLog().matchAll(/refreshed, .*lifetime=0/g)].length < count) await after(100)
    return 'returned'
  }

  async function expectSameConnection(receiver: Thru, target: string): Promise<void> {
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(0)
    const lines = linesOf(stdout)
    expect(lines.filter(({ type }) => type === 'reconnecting')).toEqual([])
    expect(lines.filter(({ type }) => type === 'started')).toHaveLength(1)
    expect(hashTree(scene.at(target, 'src'))).toEqual(hashTree(scene.at('src')))
  }

  it(
    'changes to a direct path that opens, and releases the relay',
    { tags: ['full'] },
    async () => {
      const { sender, receiver } = await beginRelayed('dst-opened')
      scene.network.setDirectPath(true)
      for (const program of [receiver, sender]) {
        expect(kindOf(await program.line('route-changed'))).toBe('direct')
      }
      const ended = receiver.ended.then(() => 'ended')
      expect(await Promise.race([relaysReturned(2), ended])).toBe('returned')
      scene.network.setSpeed(fast)
      await expectSameConnection(receiver, 'dst-opened')
      await sender.line('done')
    },
  )

  it.each<Side>(['host', 'join'])(
    'changes to a direct path when the network of the %s changes',
    async (side) => {
      const { sender, receiver } = await beginRelayed(`dst-${side}`)
      scene.network.setDirectPath(true)
      scene.network.addAddress(side)
      try {
        expect(kindOf(await receiver.line('route-changed'))).toBe('direct')
        scene.network.setSpeed(fast)
        await expectSameConnection(receiver, `dst-${side}`)
        await sender.line('done')
      } finally {
        scene.network.restoreAddress(side)
      }
    },
  )

  it(
    'finishes over the relay when the direct path breaks immediately',
    { tags: ['full'] },
    async () => {
      const { receiver } = await beginRelayed('dst-broken')
      scene.network.setDirectPath(true)
      expect(kindOf(await receiver.line('route-changed'))).toBe('direct')
      scene.network.setDirectPath(false)
      scene.network.setSpeed(fast)
      const received = await receiver.ended
      expect(received.exitCode).toBe(0)
      expect(routesOf(received).at(-1)).toMatchObject({ kind: 'relay' })
      expect(hashTree(scene.at('dst-broken', 'src'))).toEqual(hashTree(scene.at('src')))
    },
  )

  it('reconnects over the relay when its direct path is blocked', { tags: ['full'] }, async () => {
    scene.network.setSpeed(slow)
    scene.network.setDirectPath(true)
    const { code } = await scene.hostWithCode([scene.at('src')], turnOption())
    const receiver = scene.join(code, scene.at('dst-blocked'), turnOption())
    expect(kindOf(await receiver.line('connected'))).toBe('direct')
    await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > MiB)
    scene.network.setDirectPath(false)
    await receiver.line('reconnecting')
    scene.network.setSpeed(fast)
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(0)
    const routes = linesOf(stdout).filter(({ type }) => type === 'connected')
    expect(routes.map(kindOf)).toEqual(['direct', 'relay'])
    expect(hashTree(scene.at('dst-blocked', 'src'))).toEqual(hashTree(scene.at('src')))
  })
})
