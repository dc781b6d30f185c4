// The fuses of the packed app's Electron disable features that an installed app must not have. The reasons are in
// docs/adr/0032-one-node-for-app-and-command.md.
import { FuseV1Options as Fuse } from '@electron/fuses'

/** The first major versions of Electron that have these fuses. */
const since = { [Fuse.GrantFileProtocolExtraPrivileges]: 29 }

/** The first major versions that verify the archive's hash before running its code; Linux has no such check. */
const integritySince = { darwin: 16, win32: 30 }

/**
 * Returns the fuses that this Electron has.
 * @param {'linux' | 'win32' | 'darwin'} platform
 * @param {string} version Electron's version
 * @returns {Record<number, boolean>}
 */
export function fusesFor(platform, version) {
  const major = Number.parseInt(version, 10)
  const wanted = {
    // `thru` runs on the app's own Node, except on macOS, where any program could then use the app's permissions.
    [Fuse.RunAsNode]: platform !== 'darwin',
    [Fuse.EnableCookieEncryption]: true,
    [Fuse.EnableNodeOptionsEnvironmentVariable]: false,
    [Fuse.EnableNodeCliInspectArguments]: false,
    [Fuse.EnableEmbeddedAsarIntegrityValidation]: major >= (integritySince[platform] ?? Infinity),
    [Fuse.OnlyLoadAppFromAsar]: true,
    [Fuse.LoadBrowserProcessSpecificV8Snapshot]: false,
    [Fuse.GrantFileProtocolExtraPrivileges]: false,
  }
  return Object.fromEntries(Object.entries(wanted).filter(([fuse]) => major >= (since[fuse] ?? 0)))
}
