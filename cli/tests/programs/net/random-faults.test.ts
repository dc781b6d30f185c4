/**
 * Faults at random moments of random transfers between random homes: all data arrives. THRU_FAULT_SEED=NUMBER
 * repeats one of them; the name of the test contains the seed.
 * @module-tag full
 */
import { randomInt } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { linesOf, type Thru } from '../thru'
import { bytesOf, hashTree, type Tree, writeTree } from '../tree'
import type { Side } from './network'
import { openScene, scene } from './opened-scene'
import { isLong, slowMbit, usualMbit } from './patience'
import type { RouterType } from './router-types'
import { atOpenPort, iceOptions, startTurnServer, stopTurnServer } from './turn-server'

const asked = process.env['THRU_FAULT_SEED']
const seeds = asked !== undefined ? [Number(asked)] : isLong ? anySeeds(20) : [5]

function anySeeds(count: number): readonly number[] {
  const first = randomInt(1_000_000)
  return Array.from({ length: count }, (_, index) => first + index)
}

const sides = ['host', 'join'] as const
const kinds: readonly RouterType[] = [
  'open',
  'full-cone',
  'address-restricted',
  'port-restricted',
  'symmetric',
]
/** Includes routers that block UDP, because a relay over TCP exists. */
const laterKinds: readonly RouterType[] = [...kinds, 'no-udp', 'only-443']

/** Choices that are the same for every run with a seed, from the bytes of a hash. */
class Choices {
  readonly #bytes: Buffer
  #at = 0

  constructor(seed: number) {
    this.#bytes = bytesOf(`faults ${seed}`, 4096)
  }

  /** A number from 0 up to, but not including, `below`. */
  number(below: number): number {
    const chosen = this.#bytes.readUInt32LE(this.#at) % below
    this.#at += 4
    return chosen
  }

  of<T>(values: readonly T[]): T {
    const chosen = values[this.number(values.length)]
    if (chosen === undefined) throw new Error('nothing to choose from')
    return chosen
  }
}

/** A fault, including its end if it has one. */
type Fault = { readonly what: string; readonly run: (receiver: Thru) => Promise<void> | void }

describe.skipIf(process.platform !== 'linux')('a transfer', { timeout: 600_000 }, () => {
  openScene()
  beforeAll(async () => {
    await startTurnServer(scene.network, scene.folder, [], atOpenPort)
    await startTurnServer(scene.network, scene.folder)
  })
  afterEach(async () => {
    await scene.stopPrograms()
    scene.network.setDirectPath(true)
    for (const side of sides) scene.network.restoreAddress(side)
  })

  const setRouter = (side: Side, kind: RouterType): void => scene.network.setRouter(side, kind)

  function faultOf(choices: Choices): Fault {
    const side = choices.of(sides)
    const lines = 1 + choices.number(4)
    const kind = choices.of(laterKinds)
    const host = 10 + choices.number(200)
    return choices.of<Fault>([
      {
        what: `${side} has the address ${host}`,
        run: () => scene.network.changeAddress(side, host),
      },
      {
        what: `the network of ${side} is away for ${lines} lines of the receiver`,
        run: async (receiver) => {
          scene.network.disconnect(side)
          await receiver.furtherLines(lines)
          await scene.network.reconnect(side)
        },
      },
      {
        what: `the router of ${side} forgets everything`,
        run: () => scene.network.forgetMappings(side),
      },
      {
        what: `a relay is away for ${lines} lines of the receiver`,
        run: async (receiver) => {
          await stopTurnServer()
          await receiver.furtherLines(lines)
          await startTurnServer(scene.network, scene.folder)
        },
      },
      { what: 'the server begins anew', run: () => scene.restartServer() },
      { what: `the router of ${side} lets no UDP out`, run: () => setRouter(side, 'no-udp') },
      { what: `the router of ${side} is ${kind}`, run: () => setRouter(side, kind) },
    ])
  }

  function treeOf(choices: Choices): Tree {
    const files = 1 + choices.number(30)
    const bytes = (8 << 20) + choices.number(8 << 20)
    return Object.fromEntries(
      Array.from({ length: files }, (_, index) => [
        `${index % 3}/${index}.bin`,
        bytesOf(`file ${choices.number(1000)}`, Math.floor(bytes / files)),
      ]),
    )
  }

  it.each(seeds)('arrives whatever happens to its network, seed %i', async (seed) => {
    const choices = new Choices(seed)
    const source = scene.at(`src-${seed}`)
    const out = scene.at(`dst-${seed}`)
    writeTree(source, treeOf(choices))
    const homes = sides.map((side) => [side, choices.of(kinds)] as const)
    for (const [side, kind] of homes) setRouter(side, kind)
    scene.network.setSpeed(slowMbit)
    const story: string[] = homes.map(([side, kind]) => `${side} is ${kind}`)

    const options = iceOptions(scene.network)
    const { sender, code } = await scene.hostWithCode([source], options)
    const receiver = scene.join(code, out, options)
    let bytes = 0
    const count = 1 + choices.number(3)
    for (let number = 0; number < count; number += 1) {
      bytes += choices.number(3 << 20)
      await Promise.race([
        receiver.lineWhere('progress', (line) => Number(line['bytes']) > bytes),
        receiver.ended,
      ])
      const { what, run } = faultOf(choices)
      story.push(`after ${bytes} bytes ${what}`)
      await run(receiver)
    }
    scene.network.setSpeed(usualMbit)
    const { exitCode, stdout } = await receiver.ended
    const last = linesOf(stdout).at(-1)
    expect({ exitCode, last }, story.join('; ')).toMatchObject({ exitCode: 0 })
    await sender.line('done')
    expect(hashTree(out), story.join('; ')).toEqual({
      [`src-${seed}`]: 'folder',
      ...Object.fromEntries(
        Object.entries(hashTree(source)).map(([path, hash]) => [`src-${seed}/${path}`, hash]),
      ),
    })
    console.log(`seed ${seed}: ${story.join('; ')}`)
  })
})
