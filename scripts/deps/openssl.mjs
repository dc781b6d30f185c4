// Common parts of OpenSSL's builds: excluded features, and reproducible output. recipes.mjs repeats them, because its
// text is part of a cache key: it can import them once that text changes.
import { statSync } from 'node:fs'
import { join } from 'node:path'

/** Leaves the features that certificates and TLS 1.3 for QUIC need. `no-quic` keeps the callbacks for ngtcp2. */
export const opensslOptions = (
  'no-shared no-tests no-apps no-docs no-legacy no-engine no-module no-ssl3 no-dtls no-comp no-cmp no-cms no-ts ' +
  'no-srp no-psk no-idea no-seed no-camellia no-aria no-bf no-cast no-rc2 no-rc4 no-rmd160 no-whirlpool no-md4 ' +
  'no-sm2 no-sm3 no-sm4 no-gost no-ocsp no-ct no-dso no-quic -fPIC -O3'
).split(' ')

/** The 64-bit NIST curves, which need 128-bit integers. */
export const fastCurves = 'enable-ec_nistp_64_gcc_128'

/** Arguments and environment of make without traces of the build machine: fixed folders and the source's time. */
export const sameOpenssl = (source) => ({
  places: ['ENGINESDIR=/usr/lib/engines-3', 'MODULESDIR=/usr/lib/ossl-modules'],
  env: {
    SOURCE_DATE_EPOCH: String(Math.trunc(statSync(join(source, 'VERSION.dat')).mtimeMs / 1000)),
  },
})
