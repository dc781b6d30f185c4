/** endProcessWithin ends a process in time, whatever it does, and with the given exit code. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { addonFile } from './addon.js'

/** Runs a script in a new process; resolves to its exit code and signal. */
async function run(script: string): Promise<readonly unknown[]> {
  const begin = `const { endProcessWithin } = require(${JSON.stringify(addonFile)});`
  return once(spawn(process.execPath, ['-e', begin + script], { stdio: 'inherit' }), 'exit')
}

it('ends a process whose JavaScript never returns', async () => {
  expect(await run('endProcessWithin(100, 7); for (;;);')).toEqual([7, null])
})

it('ends a process that hangs in its last handler', async () => {
  const hang = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
  const script = `process.on('exit', () => { endProcessWithin(100, 7); ${hang} })`
  expect(await run(script)).toEqual([7, null])
})

it('counts from the last call', async () => {
  expect(await run('endProcessWithin(600_000, 1); endProcessWithin(100, 7); for (;;);')).toEqual([
    7,
    null,
  ])
})

it('lets a process end earlier on its own', async () => {
  expect(await run('endProcessWithin(600_000, 7)')).toEqual([0, null])
})

it('takes numbers only', async () => {
  const script = `try { endProcessWithin('soon') } catch (reason) { process.exit(reason instanceof TypeError ? 3 : 4) }`
  expect(await run(script)).toEqual([3, null])
})
