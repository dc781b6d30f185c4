// Makes packages for tests to install: this checkout as its own version and as an older one, with fast compression.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { Failure, step } from '../lib/failure.mjs'
import { runCaptured } from '../lib/run.mjs'

/** The folder of these packages, in `previous` and `current`. */
export const testPackages = join(root, 'out', 'test-packages')

/** Makes these formats from the current build. */
export async function packagesForTests(formats) {
  rmSync(testPackages, { recursive: true, force: true })
  for (const [name, version] of [
    ['previous', ['--package-version', '0.0.9']],
    ['current', []],
  ]) {
    const where = ['--output', join(testPackages, name)]
    const how = ['--linux', ...formats, '--quick', '--substitute-runtime', '--no-build']
    const script = join(root, 'scripts/package/package.mjs')
    const { succeeded, output } = await step(`packing the ${name} version`, () =>
      runCaptured(process.execPath, [script, ...how, ...version, ...where], { cwd: root }),
    )
    if (!succeeded) throw new Failure(`The packages for tests couldn't be made:\n${output}`)
  }
}
