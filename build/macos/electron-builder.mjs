// Configuration for macOS. One app runs on both kinds of processors; scripts/package/macos makes packages from it.
import { macosPlaces } from '../install-places.mjs'
import { infoEntries } from './info.mjs'

/** Variables of the notary's key, which App Store Connect issues. */
const notaryVariables = ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER']

/**
 * Returns the configuration for a certificate (CSC_LINK, CSC_NAME) and a notary's key in the environment.
 * @param {Record<string, string | undefined>} env
 */
export function macosConfig(env) {
  const signs = Boolean(env.CSC_LINK ?? env.CSC_NAME)
  return {
    target: ['dir'],
    category: 'public.app-category.utilities',
    icon: 'out/icons/icon.icns',
    // The engine's C++ library needs this version, which native/vcpkg and scripts/deps/targets.mjs also name.
    minimumSystemVersion: '13.3',
    extendInfo: infoEntries,
    extraResources: [
      { from: 'build/macos/ko.lproj', to: 'ko.lproj' },
      ...Object.entries(macosPlaces).map(([from, to]) => ({ from, to })),
    ],
    // Apple's processors run nothing without a signature; an ad hoc one is enough for one's own computer.
    ...(signs ? {} : { identity: '-' }),
    // The system lets a hardened app load only code signed by its own team; an ad hoc signature has no team.
    hardenedRuntime: signs,
    gatekeeperAssess: false,
    entitlements: 'build/macos/entitlements.plist',
    entitlementsInherit: 'build/macos/entitlements.plist',
    notarize: signs && notaryVariables.every((name) => env[name]),
    // The engine and its libraries already support both processors, with the same files in each half.
    x64ArchFiles: '**/out/native/**',
  }
}

/** The configuration for this environment. */
export const macos = macosConfig(process.env)
