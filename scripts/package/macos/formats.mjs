// Makes macOS packages from the packed app. Making a disk image requires a Mac.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { step } from '../../lib/failure.mjs'
import { runLogged } from '../../lib/run.mjs'
import { product } from '../product.mjs'

const isMac = process.platform === 'darwin'
const app = `${product.name}.app`

/** Makes a disk image with the app and a link to the folder for apps. */
async function makeDmg({ folder, work, file, log }) {
  const image = join(work, 'image')
  rmSync(image, { recursive: true, force: true })
  mkdirSync(image, { recursive: true })
  await runLogged('copying the app', 'ditto', [join(folder, app), join(image, app)], { log })
  symlinkSync('/Applications', join(image, 'Applications'))
  const how = ['-volname', product.name, '-srcfolder', image, '-format', 'UDZO', '-ov']
  await runLogged('making the image', 'hdiutil', ['create', ...how, file], { log })
}

/** Makes an archive; `ditto` keeps everything that macOS records about a file. */
async function makeZip({ folder, file, log }) {
  rmSync(file, { force: true })
  const [program, ...args] = isMac ? ['ditto', '-c', '-k', '--keepParent'] : ['zip', '-qry', file]
  await runLogged('packing the zip', program, [...args, app, ...(isMac ? [file] : [])], {
    log,
    cwd: folder,
  })
}

const makers = isMac ? { dmg: makeDmg, zip: makeZip } : { zip: makeZip }

/** Names of the formats for `npm run package -- --mac` that this system can make. */
export const formats = Object.keys(makers)

/**
 * Makes packages from the packed app in `folder`; resolves with their paths.
 * @param {{ folder: string, work: string, output: string, formats: string[], version: string, arch: string, substitute: boolean }} asked
 */
export async function packageForMacos({ folder, work, output, formats: wanted, ...asked }) {
  const made = []
  for (const format of wanted) {
    const ending = asked.substitute ? `-substitute.${format}` : `.${format}`
    const file = join(output, `thruflux-${asked.version}-mac-${asked.arch}${ending}`)
    const log = join(work, 'macos.log')
    await step(`making the ${format}`, () => makers[format]({ folder, work, file, log }))
    made.push(file)
  }
  return made
}
