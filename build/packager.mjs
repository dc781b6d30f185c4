// Options of @electron/packager, which makes the app's folder. scripts/package makes every package from that folder.
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { flipFuses, FuseVersion } from '@electron/fuses'
import { root } from '../scripts/lib/cache.mjs'
import { iconFolder } from '../scripts/package/icons.mjs'
import { product } from '../scripts/package/product.mjs'
import { stageResources } from '../scripts/package/stage.mjs'
import { fusesFor } from './fuses.mjs'
import { macos } from './macos/packager.mjs'

/**
 * SHA-256 of Electron's archives by name, from the npm package whose hash is in package-lock.json.
 * @type {Record<string, string>}
 */
const checksums = createRequire(import.meta.url)('electron/checksums.json')

/** The window's languages. The app never shows the menus that have Chromium's own texts. */
const languages = /^(en|en-US|ko)\.(pak|lproj)$/

/** Electron's program and the folders of its languages, before the packager renames the program. */
const places = {
  linux: { program: 'electron', languages: ['locales'] },
  win32: { program: 'electron.exe', languages: ['locales'] },
  darwin: {
    program: 'Electron.app',
    languages: [
      'Electron.app/Contents/Resources',
      'Electron.app/Contents/Frameworks/Electron Framework.framework/Resources',
    ],
  },
}

/** Sets the fuses, and removes other languages and the version file from an extracted Electron. */
async function prepareElectron({ buildPath, platform, electronVersion }) {
  const { program, languages: folders } = places[platform]
  const fuses = fusesFor(platform, electronVersion)
  await flipFuses(join(buildPath, program), { version: FuseVersion.V1, ...fuses })
  for (const folder of folders.map((each) => join(buildPath, each)))
    for (const name of readdirSync(folder).filter((each) => /\.(pak|lproj)$/.test(each)))
      if (!languages.test(name)) rmSync(join(folder, name), { recursive: true })
  rmSync(join(buildPath, 'version'), { force: true })
  renameSync(join(buildPath, 'LICENSE'), join(buildPath, 'LICENSE.electron.txt'))
}

/**
 * Stages the resources outside of the app's archive, and returns the packager's options for one target.
 * @param {object} wanted
 * @param {'linux' | 'win32' | 'darwin'} wanted.platform
 * @param {string} wanted.arch
 * @param {string} wanted.version
 * @param {{ version: string, zips?: string | undefined }} wanted.runtime Electron, downloaded if it has no folder of `zips`
 * @param {string} wanted.app folder of the staged files, made by scripts/package/stage.mjs
 * @param {string} wanted.work folder for the result, the staged resources and temporary files
 * @param {string} [wanted.checkout] folder with the sources of the resources
 */
export function packagerOptions(wanted) {
  const { platform, arch, version, runtime, app, work, checkout = root } = wanted
  return {
    dir: app,
    out: join(work, 'packed'),
    tmpdir: join(work, 'tmp'),
    overwrite: true,
    quiet: true,
    // The bundles contain everything.
    prune: false,
    // The system can load libraries only from files.
    asar: { unpackDir: 'out/native' },
    ...{ platform, arch, electronVersion: runtime.version },
    ...(runtime.zips && { electronZipDir: runtime.zips }),
    // Otherwise the download would be compared only with a list from its own server.
    download: { checksums },
    afterExtract: [prepareElectron],
    name: product.name,
    executableName: platform === 'linux' ? 'thruflux' : product.name,
    appBundleId: product.id,
    appVersion: version,
    appCopyright: 'Thruflux contributors, MIT license',
    icon: join(iconFolder, 'icon'),
    win32metadata: { CompanyName: product.name },
    extraResource: stageResources(join(work, 'beside'), platform, checkout),
    ...(platform === 'darwin' && macos),
  }
}
