// What only packages for macOS have. One app for both kinds of processors; scripts/package/macos makes packages out of it.
import { macosPlaces } from '../install-places.mjs'
import { infoEntries } from './info.mjs'

/** Everything that Apple's notary takes: a key of App Store Connect. */
const notaryVariables = ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER']

/**
 * The configuration, by what the environment has to sign with: a certificate (CSC_LINK, CSC_NAME) and the notary's key.
 * @param {Record<string, string | undefined>} env
 */
export function macosConfig(env) {
  const signs = Boolean(env.CSC_LINK ?? env.CSC_NAME)
  return {
    target: ['dir'],
    category: 'public.app-category.utilities',
    icon: 'out/icons/icon.icns',
    // What the engine needs of the system's C++ library, as native/vcpkg and scripts/deps/targets.mjs have it.
    minimumSystemVersion: '13.3',
    extendInfo: infoEntries,
    extraResources: [
      { from: 'build/macos/ko.lproj', to: 'ko.lproj' },
      ...Object.entries(macosPlaces).map(([from, to]) => ({ from, to })),
    ],
    // Processors of Apple start nothing without a signature; one that names nobody is enough for one's own computer.
    ...(signs ? {} : { identity: '-' }),
    // The system lets a hardened app load only what its own team has signed, and a nobody has no team.
    hardenedRuntime: signs,
    gatekeeperAssess: false,
    entitlements: 'build/macos/entitlements.plist',
    entitlementsInherit: 'build/macos/entitlements.plist',
    notarize: signs && notaryVariables.every((name) => env[name]),
    // The engine and its libraries are for both processors already, the same files in each half.
    x64ArchFiles: '**/out/native/**',
  }
}

/** The configuration of this environment. */
export const macos = macosConfig(process.env)
