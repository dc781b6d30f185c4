/** Transfers that a test interferes with midway. */
import { mkdtempSync } from 'node:fs'
import { expect } from 'vitest'
import { type Ending, type Thru } from '../thru'
import { hashTree } from '../tree'
import { usualMbit } from './patience'
import type { Scene } from './scene'

const MiB = 1024 * 1024

/** One transfer of the scene's `src` into a new folder. */
export type BegunTransfer = {
  readonly sender: Thru
  readonly receiver: Thru
  readonly out: string
}

/** Starts a transfer with these options at both ends; resolves once data has arrived. */
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

/** Lifts the speed limit and expects all data byte for byte. */
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
