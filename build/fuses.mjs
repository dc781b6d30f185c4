// The fuses of the packed app's Electron disable features that an installed app must not have. The reasons are in
// docs/adr/0032-one-node-for-app-and-command.md.

/** The first major versions of Electron that have these fuses. */
const since = { grantFileProtocolExtraPrivileges: 29 }

/** The first major versions that verify the archive's hash before running its code; Linux has no such check. */
const integritySince = { darwin: 16, win32: 30 }

/**
 * Returns the fuses by electron-builder's names, without those that this Electron lacks.
 * @param {'linux' | 'win32' | 'darwin'} platform
 * @param {string} version Electron's version
 * @returns {Record<string, boolean>}
 */
export function fusesFor(platform, version) {
  const major = Number.parseInt(version, 10)
  const wanted = {
    // `thru` runs on the app's own Node, except on macOS, where any program could then use the app's permissions.
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
