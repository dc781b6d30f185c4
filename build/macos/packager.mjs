// The packager's options for macOS. One app runs on both kinds of processors.
import { join } from 'node:path'
import { root } from '../../scripts/lib/cache.mjs'
import { infoEntries } from './info.mjs'

/**
 * Returns how a Mac signs the app: by a certificate in its keychain (`THRU_MACOS_IDENTITY`), and for the notary by a key
 * that App Store Connect issues; otherwise ad hoc.
 * @param {Record<string, string | undefined>} env
 */
export function signingOf(env) {
  const identity = env.THRU_MACOS_IDENTITY
  const { APPLE_API_KEY: key, APPLE_API_KEY_ID: id, APPLE_API_ISSUER: issuer } = env
  // The system lets a hardened app load only code signed by its own team; an ad hoc signature has no team.
  const file = {
    entitlements: join(root, 'build/macos/entitlements.plist'),
    hardenedRuntime: Boolean(identity),
  }
  return {
    osxSign: {
      // Apple's processors run nothing without a signature; an ad hoc one is enough for one's own computer.
      ...(identity ? { identity } : { identity: '-', identityValidation: false }),
      optionsForFile: () => file,
      continueOnError: false,
    },
    ...(identity &&
      key &&
      id &&
      issuer && { osxNotarize: { appleApiKey: key, appleApiKeyId: id, appleApiIssuer: issuer } }),
  }
}

/** The options for this computer and environment. */
export const macos = {
  appCategoryType: 'public.app-category.utilities',
  extendInfo: infoEntries,
  // The engine and its libraries already support both processors, with the same files in each half.
  osxUniversal: { x64ArchFiles: '**/out/native/**' },
  ...(process.platform === 'darwin' && signingOf(process.env)),
}
