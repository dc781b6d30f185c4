// What electron-builder does for every system; what only one of them has stands in its folder.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { product } from '../scripts/package/product.mjs'
import { fusesFor } from './fuses.mjs'
import { linux } from './linux/electron-builder.mjs'
import { macos } from './macos/electron-builder.mjs'
import { windows } from './windows/electron-builder.mjs'

/** Removes what an Electron without an app starts with. */
function removeDefaultApp({ appOutDir, electronPlatformName }) {
  const resources =
    electronPlatformName === 'darwin' ? 'Thruflux.app/Contents/Resources' : 'resources'
  rmSync(join(appOutDir, resources, 'default_app.asar'), { force: true })
  rmSync(join(appOutDir, 'version'), { force: true })
}

/**
 * electron-builder's configuration for one target.
 * @param {object} wanted
 * @param {'linux' | 'win32' | 'darwin'} wanted.platform
 * @param {{ version: string, dist?: string | undefined }} wanted.runtime without a folder it is downloaded
 * @param {string} wanted.app folder of what is packed, made by scripts/package/stage.mjs
 * @param {string} wanted.output folder of the packages
 */
export function builderConfig({ platform, runtime, app, output }) {
  return {
    appId: product.id,
    productName: product.name,
    copyright: 'Thruflux contributors, MIT license',
    directories: { app, output, buildResources: 'build' },
    files: ['**/*'],
    // Nothing is compiled, and no package of the checkout is packed: all that are needed are in the bundles.
    beforeBuild: () => Promise.resolve(false),
    // The system loads libraries from files only.
    asarUnpack: ['out/native/**'],
    electronVersion: runtime.version,
    ...(runtime.dist && { electronDist: runtime.dist }),
    electronFuses: fusesFor(platform, runtime.version),
    // The languages of the window. Chromium's own texts are in menus that it does not show.
    electronLanguages: ['en-US', 'ko'],
    afterPack: removeDefaultApp,
    linux,
    win: windows,
    mac: macos,
    publish: null,
  }
}
