/** Trusted authorities for `wss://`: those of Node, and those that this computer's owner or its company trusts. */
import { readFileSync, statSync } from 'node:fs'
import * as tls from 'node:tls'

/** Bundles of Linux distributions; the first readable one is used. */
const linuxBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** The limit in bytes; distributions' bundles have about 200 kB. */
const maxBundleBytes = 4 * 1024 * 1024

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Newer versions of Node query the system itself, on every platform. */
type NewerTls = {
  readonly rootCertificates: readonly string[]
  readonly getCACertificates?: (from: 'default' | 'system') => readonly string[]
}

/** Further sources of authorities. */
export type AuthorityPlaces = {
  /** PEM files, of which the first readable one is used. */
  readonly bundles: readonly string[]
  /** A file that a person named; `''` for none. */
  readonly extra: string
}

const usualPlaces = (): AuthorityPlaces => ({
  bundles: process.platform === 'linux' ? linuxBundles : [],
  extra: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
})

/** PEM certificates. Unreadable files are silently ignored: Node's own certificates remain. */
export function trustedAuthorities(places: AuthorityPlaces, newer: NewerTls = tls): string[] {
  const ask = newer.getCACertificates
  const found =
    ask === undefined
      ? [...newer.rootCertificates, ...firstOf(places.bundles), ...certificatesIn(places.extra)]
      : [...ask('default'), ...ask('system')]
  return [...new Set(found)]
}

let context: tls.SecureContext | undefined

/** The trusted authorities of every `wss://` socket of this process, read once. */
export function serverTrust(): tls.SecureContext {
  context ??= tls.createSecureContext({ ca: trustedAuthorities(usualPlaces()) })
  return context
}

function firstOf(bundles: readonly string[]): readonly string[] {
  for (const bundle of bundles) {
    const found = certificatesIn(bundle)
    if (found.length > 0) return found
  }
  return []
}

function certificatesIn(file: string): readonly string[] {
  try {
    const { size } = statSync(file)
    return size > maxBundleBytes ? [] : (readFileSync(file, 'latin1').match(certificate) ?? [])
  } catch {
    return []
  }
}

/** True for the `code` of a TLS failure because the server has no valid certificate for its name, or does not use TLS. */
export const isUntrusted = (code: string | undefined): boolean =>
  code !== undefined && /CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO|^EPROTO$/.test(code)
