// Configuration of electron-builder for all systems; each system's folder has the rest.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { product } from '../scripts/package/product.mjs'
import { fusesFor } from './fuses.mjs'
import { linux } from './linux/electron-builder.mjs'
import { macos } from './macos/electron-builder.mjs'
import { windows } from './windows/electron-builder.mjs'

/** Removes Electron's default app and its version file. */
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
 * @param {{ version: string, dist?: string | undefined }} wanted.runtime downloaded if it has no `dist`
 * folder
 * @param {string} wanted.app folder of the staged files, made by scripts/package/stage.mjs
 * @param {string} wanted.output folder for the packages
 */
export function builderConfig({ platform, runtime, app, output }) {
  return {
    appId: product.id,
    productName: product.name,
    copyright: 'Thruflux contributors, MIT license',
    directories: { app, output, buildResources: 'build' },
    files: ['**/*'],
    // Compiles nothing and packs no node_modules: the bundles contain everything.
    beforeBuild: () => Promise.resolve(false),
    // The system can load libraries only from files.
    asarUnpack: ['out/native/**'],
    electronVersion: runtime.version,
    ...(runtime.dist && { electronDist: runtime.dist }),
    electronFuses: fusesFor(platform, runtime.version),
    // The window's languages. The app never shows the menus that have Chromium's own texts.
    electronLanguages: ['en-US', 'ko'],
    afterPack: removeDefaultApp,
    linux,
    win: windows,
    mac: macos,
    publish: null,
  }
}
