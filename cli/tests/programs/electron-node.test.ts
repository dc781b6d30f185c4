import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { electronRuntime } from '../../../scripts/electron-runtime.mjs'

const command = fileURLToPath(new URL('../../../out/cli/thru.cjs', import.meta.url))

it("runs on the app's own Node, as packages start it", async () => {
  const { executable } = (await electronRuntime()) as { readonly executable: string }
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const run = (...args: readonly string[]): Promise<{ readonly stdout: string }> =>
    promisify(execFile)(executable, [command, ...args], { env })
  expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect((await run('config', 'get', 'appearance.theme')).stdout).toBe('system\n')
  expect((await run('doctor')).stdout).toMatch(/^ok {3}The engine/)
})
