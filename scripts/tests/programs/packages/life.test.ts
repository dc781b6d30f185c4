/** Runs scripts/fresh/package-life.mjs with the packages of out/test-packages on fresh Debian systems. */
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshSystem } from '../../../fresh/system.mjs'
import { root } from '../../../lib/cache.mjs'
import { testPackages } from '../../../package/for-tests.mjs'

/** Copies the packages and the scripts that test them into a system, and hides its Node from the packages. */
function furnish(system: string): void {
  const project = join(system, 'root/project')
  mkdirSync(project)
  cpSync(process.execPath, join(project, 'node'))
  for (const place of ['usr/bin/node', 'usr/bin/nodejs', 'usr/local/bin/node']) {
    if (existsSync(join(system, place)))
      renameSync(join(system, place), join(project, place.replaceAll('/', '-')))
  }
  for (const folder of ['scripts/fresh', 'scripts/lib'])
    cpSync(join(root, folder), join(project, folder), { recursive: true })
  for (const name of ['previous', 'current'])
    cpSync(join(testPackages, name), join(project, name), { recursive: true })
}

/** Debian itself uses no rpm: one suite is enough to test the rpm's scripts and files. */
const formats = { bookworm: ['deb', 'AppImage', 'rpm'], trixie: ['deb', 'AppImage'] }

describe.each(Object.entries(formats))('on a fresh %s', (suite, of) => {
  let system: Awaited<ReturnType<typeof freshSystem>>

  beforeAll(async () => {
    system = await freshSystem(suite)
    furnish(system.folder)
  }, 600_000)
  afterAll(() => system.remove())

  it.each(of)(
    'the %s is installed, used, upgraded with its settings kept, and removed without a trace',
    (format) => {
      const life = `cd /root/project && ./node scripts/fresh/package-life.mjs ${format}`
      const { status, output } = system.run(life)
      console.log(output)
      expect([output.split('\n').slice(-20).join('\n'), status]).toEqual([expect.anything(), 0])
    },
    900_000,
  )
})
