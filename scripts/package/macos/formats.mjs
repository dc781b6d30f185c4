// Makes macOS packages from the packed app with electron-builder. Making a disk image requires a Mac.
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { builderConfig } from '../../../build/electron-builder.mjs'
import { root } from '../../lib/cache.mjs'
import { Failure, step } from '../../lib/failure.mjs'

/** Names of the formats for `npm run package -- --mac` that this system can make. */
export const formats = process.platform === 'darwin' ? ['dmg', 'zip'] : ['zip']

/**
 * Makes packages from the packed app in `folder`; resolves with their paths.
 * @param {{ folder: string, work: string, output: string, formats: string[], version: string, arch: string,
 *   substitute: boolean, runtime: { version: string, dist?: string | undefined } }} asked
 */
export async function packageForMacos({ folder, work, output, formats: wanted, ...asked }) {
  const app = readdirSync(folder).find((name) => name.endsWith('.app'))
  if (!app) throw new Failure(`There is no app in ${folder}: pack it first.`)
  const { build, Platform, Arch } = await import('electron-builder')
  const config = builderConfig({
    platform: 'darwin',
    runtime: asked.runtime,
    app: join(work, 'app'),
    output: work,
  })
  const made = []
  for (const format of wanted) {
    const ending = asked.substitute ? `-substitute.${format}` : `.${format}`
    const file = join(output, `thruflux-${asked.version}-mac-${asked.arch}${ending}`)
    const [built] = await step(`making the ${format}`, () =>
      build({
        projectDir: root,
        prepackaged: join(folder, app),
        targets: Platform.MAC.createTarget(format, Arch[asked.arch]),
        config,
        publish: 'never',
      }),
    )
    renameSync(built, file)
    made.push(file)
  }
  return made
}
