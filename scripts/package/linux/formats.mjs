// Makes all Linux packages from one tree.
import { join } from 'node:path'
import { step } from '../../lib/failure.mjs'
import { makeAppImage } from './appimage.mjs'
import { makeArchive } from './archive.mjs'
import { makeDeb } from './deb.mjs'
import { makeFlatpakManifest } from './flatpak.mjs'
import { makeRpm } from './rpm.mjs'
import { layOutTree } from './tree.mjs'

const makers = {
  AppImage: makeAppImage,
  deb: makeDeb,
  rpm: makeRpm,
  'tar.gz': makeArchive,
  'flatpak.json': makeFlatpakManifest,
}

/** Names of the formats for `npm run package -- --linux`. */
export const formats = Object.keys(makers)

/**
 * Makes packages from the packed app in `folder`; resolves with their paths.
 * @param {{ folder: string, work: string, output: string, formats: string[], version: string, arch: string, substitute: boolean, quick: boolean }} asked
 */
export async function packageForLinux(asked) {
  const prefix = join(asked.work, 'tree')
  layOutTree(asked.folder, prefix)
  const made = []
  for (const format of asked.formats) {
    const ending = asked.substitute ? `-substitute.${format}` : `.${format}`
    const file = join(asked.output, `thruflux-${asked.version}-linux-${asked.arch}${ending}`)
    const work = join(asked.work, format)
    await step(`making the ${format}`, () => makers[format]({ ...asked, prefix, work, file }))
    made.push(file)
  }
  return made
}
