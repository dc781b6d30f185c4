// The fuses of the packed app's Electron: what of Electron's flexibility an installed app shall not have. The reasons
// are in docs/adr/0032-one-node-for-app-and-command.md.

/** Fuses that not every supported Electron has, by the first major version with them. */
const since = { grantFileProtocolExtraPrivileges: 29 }

/** The first major version that checks the archive's hash before it runs what is in it; Linux has no such check. */
const integritySince = { darwin: 16, win32: 30 }

/**
 * The fuses under the names of electron-builder, without those that this Electron does not have.
 * @param {'linux' | 'win32' | 'darwin'} platform
 * @param {string} version of Electron
 * @returns {Record<string, boolean>}
 */
export function fusesFor(platform, version) {
  const major = Number.parseInt(version, 10)
  const wanted = {
    // `thru` runs on the app's own Node, but on macOS, where the app's permissions would be anybody's.
    runAsNode: platform !== 'darwin',
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: major >= (integritySince[platform] ?? Infinity),
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  }
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => major >= (since[name] ?? 0)))
}
