// The MSIX package as a folder, ready for `makeappx pack /d FOLDER /p FILE` of the Windows SDK, which nothing else replaces.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../lib/cache.mjs'
import { Failure } from '../../lib/failure.mjs'
import { renderIcon } from '../icons.mjs'
import { product } from '../product.mjs'
import { fourNumbers } from './installer.mjs'

/** Pictures that the manifest names, with their width and height in pixels. */
const assets = { StoreLogo: 50, Square150x150Logo: 150, Square44x44Logo: 44 }

const escaped = (text) =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign],
  )

/**
 * The manifest. `publisher` is the subject of the certificate that signs the package, to the letter.
 * @param {{ version: string, arch: string, publisher: string }} of
 */
export function appxManifest({ version, arch, publisher }) {
  // Windows wants the last number for itself: a later test version has to have a higher third one.
  const numbers = fourNumbers(version).replace(/\d+$/, '0')
  const { id, name, description, maintainer } = product
  const values = { id, name, description, publisher, numbers, arch }
  const given = { ...values, maintainer: maintainer.replace(/ <.*/, '') }
  const template = readFileSync(join(root, 'build/windows/AppxManifest.xml'), 'utf8')
  return template.replace(/\{(\w+)\}/g, (_, key) => {
    if (given[key] === undefined) throw new Failure(`AppxManifest.xml asks for {${key}}.`)
    return escaped(given[key])
  })
}

/** Lays the package out in the folder `file`. */
export async function layOutMsix({ tree, file, version, arch }) {
  rmSync(file, { recursive: true, force: true })
  cpSync(tree, file, { recursive: true })
  const publisher = process.env.THRU_WINDOWS_PUBLISHER || 'CN=Thruflux contributors'
  writeFileSync(join(file, 'AppxManifest.xml'), appxManifest({ version, arch, publisher }))
  writeFileSync(join(file, 'resources/package-type'), 'msix')
  mkdirSync(join(file, 'Assets'))
  for (const [name, size] of Object.entries(assets))
    writeFileSync(join(file, 'Assets', `${name}.png`), await renderIcon(size))
}
