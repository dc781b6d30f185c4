/** The licenses that the built command prints. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { programRig } from './program-rig'

const { start } = programRig('licenses')

it('thru licenses lists libraries of every kind', async () => {
  const { exitCode, stdout } = await start(['licenses']).ended
  expect(exitCode).toBe(0)
  for (const part of ['OpenSSL: Apache-2.0', 'libnice: LGPL-2.1-or-later', 'ws 8.', 'out/native'])
    expect(stdout).toContain(part)
})

it.skipIf(process.platform === 'win32')('a reader that closes early ends it silently', () => {
  const launcher = fileURLToPath(new URL('../../bin/thru.cjs', import.meta.url))
  const line = `"${process.execPath}" "${launcher}" licenses | head -n 1`
  const shell = execFileSync('bash', ['-c', `set -o pipefail; ${line} 2>&1`], { encoding: 'utf8' })
  expect(shell).toMatch(/^Thruflux is under the MIT License[^\n]*\n$/)
})
