// Builds each native library for this machine: static, position-independent, into one prefix.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'

const jobs = String(availableParallelism())

// Leaves the features that certificates and TLS 1.3 for QUIC need. `no-quic` keeps the callbacks that ngtcp2 uses.
const opensslOptions = (
  'no-shared no-tests no-apps no-docs no-legacy no-engine no-module no-ssl3 no-dtls no-comp no-cmp no-cms no-ts ' +
  'no-srp no-psk no-idea no-seed no-camellia no-aria no-bf no-cast no-rc2 no-rc4 no-rmd160 no-whirlpool no-md4 ' +
  'no-sm2 no-sm3 no-sm4 no-gost no-ocsp no-ct no-dso no-quic -fPIC -O3'
).split(' ')

/** Arguments and environment of make without traces of the build machine: fixed folders and the source's time. */
const sameOpenssl = (source) => ({
  places: ['ENGINESDIR=/usr/lib/engines-3', 'MODULESDIR=/usr/lib/ossl-modules'],
  env: {
    SOURCE_DATE_EPOCH: String(Math.trunc(statSync(join(source, 'VERSION.dat')).mtimeMs / 1000)),
  },
})

async function buildOpenssl({ source, prefix, log }) {
  // `./config` detects the target. The 64-bit NIST curves need 128-bit integers.
  const fast =
    process.arch === 'x64' || process.arch === 'arm64' ? ['enable-ec_nistp_64_gcc_128'] : []
  const where = [`--prefix=${prefix}`, '--libdir=lib', '--openssldir=/etc/ssl']
  const { places, env } = sameOpenssl(source)
  const run = (what, ...command) =>
    runLogged(what, command[0], command.slice(1), { log, cwd: source, env })
  await run('configuring OpenSSL', './config', ...where, ...opensslOptions, ...fast)
  await run('building OpenSSL', 'make', `-j${jobs}`, 'build_libs', ...places)
  await run('installing OpenSSL', 'make', 'install_dev')
}

async function buildNgtcp2({ source, prefix, log }) {
  const build = join(source, 'build')
  const run = (what, ...args) => runLogged(what, 'cmake', args, { log, cwd: source })
  await run(
    'configuring ngtcp2',
    ...[
      '-S',
      source,
      '-B',
      build,
      '-G',
      'Ninja',
      '-DCMAKE_BUILD_TYPE=Release',
      '-DCMAKE_POSITION_INDEPENDENT_CODE=ON',
    ],
    ...[
      '-DENABLE_LIB_ONLY=ON',
      '-DENABLE_SHARED_LIB=OFF',
      '-DENABLE_OPENSSL=ON',
      '-DBUILD_TESTING=OFF',
    ],
    ...[
      '-DOPENSSL_USE_STATIC_LIBS=ON',
      `-DCMAKE_INSTALL_PREFIX=${prefix}`,
      '-DCMAKE_INSTALL_LIBDIR=lib',
      // Selects the OpenSSL that was just built, not the system's.
      `-DOPENSSL_ROOT_DIR=${prefix}`,
      `-DCMAKE_PREFIX_PATH=${prefix}`,
    ],
    // ngtcp2's release builds leave out NDEBUG on purpose. Without NDEBUG, a clock that steps back aborts the process.
    // Fat objects support both LTO and plain links; LTO saves about 5% CPU.
    '-DCMAKE_C_FLAGS=-DNDEBUG -flto -ffat-lto-objects',
  )
  await run('building ngtcp2', '--build', build, '-j', jobs)
  await run('installing ngtcp2', '--install', build)
}

/** Finds the folder with the C sources in the source package. */
function findBlake3(dir) {
  if (existsSync(join(dir, 'blake3_dispatch.c'))) return dir
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const found = entry.isDirectory() ? findBlake3(join(dir, entry.name)) : undefined
    if (found) return found
  }
  return undefined
}

async function buildBlake3({ source, prefix, log }) {
  const dir = findBlake3(source)
  if (!dir)
    throw new Failure(`the BLAKE3 source package in ${source} has no C library: report this.`)
  const simd = {
    x64: ['sse2', 'sse41', 'avx2', 'avx512'].map((set) => `blake3_${set}_x86-64_unix.S`),
    arm64: ['blake3_neon.c'],
  }
  const flags = process.arch === 'arm64' ? ['-DBLAKE3_USE_NEON=1'] : []
  const files = [
    'blake3.c',
    'blake3_dispatch.c',
    'blake3_portable.c',
    ...(simd[process.arch] ?? []),
  ]
  const include = join(prefix, 'include')
  const library = join(prefix, 'lib')
  for (const folder of [include, join(library, 'pkgconfig')]) mkdirSync(folder, { recursive: true })
  const objects = files.map((file) => file.replace(/\.\w+$/, '.o'))
  const run = (command, ...args) => runLogged('building BLAKE3', command, args, { log, cwd: dir })
  for (const [i, file] of files.entries()) {
    await run(
      'cc',
      '-O3',
      '-DNDEBUG',
      '-fPIC',
      '-fvisibility=hidden',
      ...flags,
      '-c',
      file,
      '-o',
      objects[i],
    )
  }
  await run('ar', 'rcs', join(library, 'libblake3.a'), ...objects)
  const header = readFileSync(join(dir, 'blake3.h'), 'utf8')
  writeFileSync(join(include, 'blake3.h'), header)
  const [, version] = /BLAKE3_VERSION_STRING "([^"]+)"/.exec(header) ?? []
  writeFileSync(
    join(library, 'pkgconfig', 'libblake3.pc'),
    pkgConfigFile(prefix, 'libblake3', version, '-lblake3'),
  )
}

function pkgConfigFile(prefix, name, version, libs) {
  return [
    `prefix=${prefix}`,
    `Name: ${name}`,
    `Description: ${name}`,
    `Version: ${version}`,
    'Cflags: -I${prefix}/include',
    `Libs: -L\${prefix}/lib ${libs}`,
    '',
  ].join('\n')
}

/** Builds the part that compresses and decompresses, in portable C and without threads. */
async function buildZstd({ source, prefix, log }) {
  const run = (what, target) =>
    runLogged(
      what,
      'make',
      [
        `-j${jobs}`,
        target,
        `PREFIX=${prefix}`,
        `LIBDIR=${join(prefix, 'lib')}`,
        'ZSTD_LIB_DICTBUILDER=0',
        'ZSTD_LIB_DEPRECATED=0',
        'ZSTD_LEGACY_SUPPORT=0',
        'ZSTD_NO_ASM=1',
        'MOREFLAGS=-fPIC -fvisibility=hidden -DZSTDLIB_VISIBLE= -DZSTDERRORLIB_VISIBLE=',
      ],
      { log, cwd: join(source, 'lib') },
    )
  await run('building zstd', 'libzstd.a')
  for (const part of ['static', 'includes', 'pc']) await run('installing zstd', `install-${part}`)
}

/** Builders by name in deps.json. Each installs its headers, archives and .pc files into `prefix`. */
export const recipes = {
  openssl: buildOpenssl,
  ngtcp2: buildNgtcp2,
  blake3: buildBlake3,
  zstd: buildZstd,
}
