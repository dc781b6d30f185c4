// Makes all Windows packages from one tree.
import { join } from 'node:path'
import { step } from '../../lib/failure.mjs'
import { makeInstaller, makePortable } from './installer.mjs'
import { signingOf } from './sign.mjs'
import { layOutTree } from './tree.mjs'
import { makeZip } from './zip.mjs'

/** Makers with the packages' suffixes. */
const makers = {
  nsis: { make: makeInstaller, ending: '-setup.exe' },
  portable: { make: makePortable, ending: '-portable.exe' },
  zip: { make: makeZip, ending: '.zip' },
}

/** Names of the formats for `npm run package -- --win`. */
export const formats = Object.keys(makers)

/**
 * Makes packages from the packed app in `folder`; resolves with their paths.
 * @param {{ folder: string, work: string, output: string, formats: string[], version: string, arch: string, substitute: boolean,
 *   quick: boolean }} asked
 */
export async function packageForWindows(asked) {
  const { output, version, arch } = asked
  const shared = { ...asked, tree: join(asked.work, 'tree'), log: join(asked.work, 'windows.log') }
  const signing = signingOf()
  await step('laying out the app', () => layOutTree({ ...shared, signing }))
  const made = []
  for (const format of asked.formats) {
    const { make, ending } = makers[format]
    const note = asked.substitute ? '-substitute' : ''
    const file = join(output, `thruflux-${version}-win-${arch}${note}${ending}`)
    const work = join(asked.work, format)
    await step(`making the ${format}`, () => make({ ...shared, signing, work, file }))
    made.push(file)
  }
  return made
}
