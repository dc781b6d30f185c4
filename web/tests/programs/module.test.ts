/** The build of the module: the same bytes everywhere. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'thru-module-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

/** Builds the last commit in a folder of this name; returns the module's SHA-256. */
function builtIn(name: string): string {
  const checkout = join(work, name)
  execFileSync('git', ['clone', '--quiet', '--shared', root, checkout])
  execFileSync(process.execPath, [join(checkout, 'scripts', 'target-build.mjs'), 'web'], {
    env: { ...process.env, CCACHE_DISABLE: '1' },
    stdio: 'pipe',
  })
  const module = readFileSync(join(checkout, 'out', 'native', 'web', 'thruflux.wasm'))
  return createHash('sha256').update(module).digest('hex')
}

it('is the same in folders of different names', { tags: ['full'], timeout: 1_200_000 }, () => {
  expect(builtIn('one')).toBe(builtIn('another with a longer name'))
})
