/**
 * Whom `wss://` believes: the authorities that came with Node, and those that this computer's owner
 * or its company trusts.
 */
import { readFileSync, statSync } from 'node:fs'
import * as tls from 'node:tls'

/** Where distributions of Linux keep theirs; the first that can be read counts. */
const linuxBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Bytes; the bundles of distributions have some 200 kB. */
const maxBundleBytes = 4 * 1024 * 1024

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Newer versions of Node ask the system itself, on every platform. */
type NewerTls = {
  readonly rootCertificates: readonly string[]
  readonly getCACertificates?: (from: 'default' | 'system') => readonly string[]
}

/** Where else authorities are looked for. */
export type AuthorityPlaces = {
  /** Files with certificates in PEM, one of which is enough. */
  readonly bundles: readonly string[]
  /** A file that a person named; `''` for none. */
  readonly extra: string
}

const usualPlaces = (): AuthorityPlaces => ({
  bundles: process.platform === 'linux' ? linuxBundles : [],
  extra: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
})

/** Certificates in PEM. A file that can't be read is ignored silently: Node's own remain. */
export function trustedAuthorities(places: AuthorityPlaces, newer: NewerTls = tls): string[] {
  const ask = newer.getCACertificates
  const found =
    ask === undefined
      ? [...newer.rootCertificates, ...firstOf(places.bundles), ...certificatesIn(places.extra)]
      : [...ask('default'), ...ask('system')]
  return [...new Set(found)]
}

let context: tls.SecureContext | undefined

/** What every `wss://` socket of this process checks its server with; read once. */
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

/**
 * True for what a connection by TLS fails with, by its `code`, when the server shows no certificate that is good
 * for its name, and when what answers doesn't speak TLS.
 */
export const isUntrusted = (code: string | undefined): boolean =>
  code !== undefined && /CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO|^EPROTO$/.test(code)
