// The packages that tests install: this checkout as its own version, and once more as an older one, packed in a hurry.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { Failure, step } from '../lib/failure.mjs'
import { runCaptured } from '../lib/run.mjs'

/** Where they are, in `previous` and `current`. */
export const testPackages = join(root, 'out', 'test-packages')

/** Makes them of what was built, in these formats. */
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
    if (!succeeded) throw new Failure(`The packages for tests could not be made:\n${output}`)
  }
}
