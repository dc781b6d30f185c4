/** Transfers to which something happens in the middle. */
import { mkdtempSync } from 'node:fs'
import { expect } from 'vitest'
import { type Ending, type Thru } from '../thru'
import { hashTree } from '../tree'
import { usualMbit } from './patience'
import type { Scene } from './scene'

const MiB = 1024 * 1024

/** One transfer of the scene's `src` into a folder of its own. */
export type BegunTransfer = {
  readonly sender: Thru
  readonly receiver: Thru
  readonly out: string
}

/** Of which something has arrived, with these options at both ends. */
export async function beginTransfer(
  scene: Scene,
  options: readonly string[] = [],
): Promise<BegunTransfer> {
  const { sender, code } = await scene.hostWithCode([scene.at('src')], options)
  const out = mkdtempSync(scene.at('dst-'))
  const receiver = scene.join(code, out, options)
  await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > 2 * MiB)
  return { sender, receiver, out }
}

/** From here on as fast as the network carries it: everything, byte for byte. */
export async function expectArrival(
  scene: Scene,
  { receiver, out }: BegunTransfer,
): Promise<Ending> {
  scene.network.setSpeed(usualMbit)
  const received = await receiver.ended
  expect(received.exitCode).toBe(0)
  expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
  return received
}
