// Builds each native library for a target (targets.mjs): archives for the addon, and LGPL libraries as shared ones. The
// developer's own build uses recipes.mjs.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../lib/failure.mjs'
import {
  buildArchive,
  buildWithAutotools,
  buildWithCmake,
  buildWithMeson,
  commands,
  compilerEnvironment,
  jobs,
  writePkgConfig,
} from './build-systems.mjs'
import { fastCurves, opensslOptions as commonOptions, sameOpenssl } from './openssl.mjs'

const opensslOptions = [...commonOptions, fastCurves]

async function buildOpenssl(job) {
  const { target, tools, prefix } = job
  const run = commands('OpenSSL', job, compilerEnvironment(tools))
  const where = [`--prefix=${prefix}`, '--libdir=lib', '--openssldir=/etc/ssl']
  const flags = [...opensslOptions, ...target.flags]
  await run('configuring', './Configure', target.openssl, ...where, ...flags)
  await run('building', 'make', `-j${jobs}`, 'build_libs')
  await run('installing', 'make', 'install_dev')
}

const buildNgtcp2 = (job) =>
  buildWithCmake(
    'ngtcp2',
    job,
    [
      '-DENABLE_LIB_ONLY=ON',
      '-DENABLE_SHARED_LIB=OFF',
      '-DENABLE_OPENSSL=ON',
      '-DOPENSSL_USE_STATIC_LIBS=ON',
      `-DOPENSSL_ROOT_DIR=${job.prefix}`,
    ],
    // ngtcp2's release builds leave out NDEBUG on purpose. Without NDEBUG, a clock that steps back aborts the process.
    ['-DNDEBUG', ...(job.target.kind === 'gcc' ? ['-flto', '-ffat-lto-objects'] : [])],
  )

const buildUtf8proc = (job) => buildWithCmake('utf8proc', job, ['-DUTF8PROC_ENABLE_TESTING=OFF'])

/** Builds the part that compresses and decompresses, in portable C and without threads. */
const buildZstd = (job) =>
  buildWithCmake(
    'zstd',
    { ...job, source: join(job.source, 'build', 'cmake') },
    [
      '-DZSTD_BUILD_PROGRAMS=OFF',
      '-DZSTD_BUILD_SHARED=OFF',
      '-DZSTD_BUILD_DICTBUILDER=OFF',
      '-DZSTD_BUILD_DEPRECATED=OFF',
      '-DZSTD_LEGACY_SUPPORT=OFF',
      '-DZSTD_MULTITHREAD_SUPPORT=OFF',
    ],
    ['-DZSTD_DISABLE_ASM=1', '-DZSTDLIB_VISIBLE=', '-DZSTDERRORLIB_VISIBLE='],
  )

const buildPcre2 = (job) =>
  buildWithCmake('PCRE2', job, [
    '-DPCRE2_BUILD_TESTS=OFF',
    '-DPCRE2_BUILD_PCRE2GREP=OFF',
    '-DPCRE2_SUPPORT_LIBBZ2=OFF',
    '-DPCRE2_SUPPORT_LIBZ=OFF',
    '-DPCRE2_STATIC_PIC=ON',
  ])

/** Doesn't use zlib's CMake file, which would also build a shared library and programs. */
async function buildZlib(job) {
  const files = ['adler32', 'compress', 'crc32', 'deflate', 'infback', 'inffast', 'inflate']
  files.push('inftrees', 'trees', 'uncompr', 'zutil')
  const sources = files.map((name) => ({ file: join(job.source, `${name}.c`) }))
  const header = readFileSync(join(job.source, 'zlib.h'), 'utf8')
  const [, version] = /ZLIB_VERSION "([^"]+)"/.exec(header) ?? []
  await buildArchive('zlib', job, { library: 'z', sources, headers: ['zlib.h', 'zconf.h'] })
  writePkgConfig(job.prefix, { name: 'zlib', version, libs: '-lz' })
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

async function buildBlake3(job) {
  const { target, prefix } = job
  const source = findBlake3(job.source)
  if (!source)
    throw new Failure(`the BLAKE3 source package in ${job.source} has no C library: report this.`)
  // GCC wrongly assumes that Windows aligns the stack for wide vectors.
  const moves = target.platform === 'win32' ? ['-Wa,-muse-unaligned-vector-move'] : []
  const include = (instructions) => [...instructions.map((each) => `-m${each}`), ...moves]
  // Some source packages have assembly only for ELF and Mach-O; other systems use the same code in C.
  const x64 = [
    ['sse2', ['sse2']],
    ['sse41', ['sse4.1']],
    ['avx2', ['avx2']],
    ['avx512', ['avx512f', 'avx512vl']],
  ].map(([set, instructions]) => {
    const file = `blake3_${set}_x86-64_${target.platform === 'win32' ? 'windows_gnu' : 'unix'}.S`
    return existsSync(join(source, file)) ? [file] : [`blake3_${set}.c`, include(instructions)]
  })
  const simd = { x64, arm64: [['blake3_neon.c']] }
  const files = [['blake3.c'], ['blake3_dispatch.c'], ['blake3_portable.c'], ...simd[target.arch]]
  const sources = files.map(([file, own = []]) => ({ file: join(source, file), own }))
  const flags = target.arch === 'arm64' ? ['-DBLAKE3_USE_NEON=1'] : []
  await buildArchive(
    'BLAKE3',
    { ...job, source },
    { library: 'blake3', sources, headers: ['blake3.h'], flags },
  )
  const header = readFileSync(join(source, 'blake3.h'), 'utf8')
  const [, version] = /BLAKE3_VERSION_STRING "([^"]+)"/.exec(header) ?? []
  writePkgConfig(prefix, { name: 'libblake3', version, libs: '-lblake3' })
}

/** Builds our own gettext: GLib requires one, but its messages are never shown. */
async function buildLibintl(job) {
  const source = fileURLToPath(new URL('./libintl', import.meta.url))
  cpSync(source, job.source, { recursive: true })
  const sources = [{ file: join(job.source, 'libintl.c') }]
  await buildArchive('libintl', job, { library: 'intl', sources, headers: ['libintl.h'] })
}

const buildLibsodium = (job) => buildWithAutotools('libsodium', job, [])

const buildLibffi = (job) =>
  buildWithAutotools('libffi', job, ['--disable-docs', '--disable-multi-os-directory'])

const buildGlib = (job) =>
  buildWithMeson('GLib', job, [
    '-Dtests=false',
    '-Dinstalled_tests=false',
    '-Dnls=disabled',
    '-Dman-pages=disabled',
    '-Ddocumentation=false',
    '-Dintrospection=disabled',
    '-Dselinux=disabled',
    '-Dlibmount=disabled',
    '-Dlibelf=disabled',
    '-Dxattr=false',
    '-Ddtrace=disabled',
    '-Dsystemtap=disabled',
    '-Dsysprof=disabled',
    '-Dglib_debug=disabled',
  ])

async function buildLibnice(job) {
  // Meson reads only `Libs`, which is enough for a shared libcrypto. An archive also needs `Libs.private`.
  const file = join(job.prefix, 'lib', 'pkgconfig', 'libcrypto.pc')
  const description = readFileSync(file, 'utf8')
  const [, others = ''] = /^Libs\.private:(.*)$/m.exec(description) ?? []
  writeFileSync(
    file,
    description.replace(/^Libs:.*$/m, (line) => `${line}${others}`),
  )
  await buildWithMeson('libnice', job, [
    '-Dgupnp=disabled',
    '-Dgstreamer=disabled',
    '-Dexamples=disabled',
    '-Dtests=disabled',
    '-Dgtk_doc=disabled',
    '-Dintrospection=disabled',
    '-Dcrypto-library=openssl',
  ])
}

/**
 * Builders in build order, by name in deps.json. Each installs its headers, libraries and .pc files into `prefix`.
 * libintl has no source package.
 */
export const targetRecipes = {
  openssl: buildOpenssl,
  ngtcp2: buildNgtcp2,
  blake3: buildBlake3,
  libsodium: buildLibsodium,
  utf8proc: buildUtf8proc,
  zlib: buildZlib,
  pcre2: buildPcre2,
  libffi: buildLibffi,
  libintl: buildLibintl,
  glib: buildGlib,
  libnice: buildLibnice,
  zstd: buildZstd,
}

/** Builds without Objective-C and C++, which GLib uses for frameworks that zig's macOS lacks (macos-sdk/README.md). */
async function buildGlibForMacos(job) {
  const file = join(job.source, 'meson.build')
  const asked = "if host_system == 'darwin'\n  add_languages('objc'"
  const text = readFileSync(file, 'utf8')
  if (!text.includes(asked))
    throw new Failure('GLib asks for Objective-C in another place now: look at its meson.build.')
  writeFileSync(file, text.replace(asked, "if false\n  add_languages('objc'"))
  // Our libintl.h doesn't declare that a translation has the format of its original.
  const lenient = ['-Wno-error=format-security', '-Wno-error=format-nonliteral']
  const flags = [...job.target.flags, ...lenient]
  const target = { ...job.target, flags }
  await buildGlib({ ...job, target, tools: { ...job.tools, cxx: 'none' } })
}

/** zig's linker reads only unwind frames with full-width addresses, like clang's; libffi's own have 32-bit ones. */
async function buildLibffiForMacos(job) {
  const file = join(job.source, 'src', 'x86', 'unix64.S')
  const narrow = readFileSync(file, 'utf8')
  const wide = narrow
    .replace('.byte\t0x1b', '.byte\t0x10')
    .replace(/\.long(?=\t(?:PCREL\(|L\(UW\d+\)-L\(UW\d+\)))/g, '.quad')
  if (wide === narrow)
    throw new Failure(`libffi writes its frames in another way now: look at ${file}.`)
  writeFileSync(file, wide)
  await buildLibffi(job)
}

/** Unlike GLib, libnice doesn't mark its public symbols in its sources, so all must be visible. */
const buildLibniceForMacos = (job) => {
  const flags = [...job.target.flags, '-fvisibility=default']
  return buildLibnice({ ...job, target: { ...job.target, flags } })
}

/** Produces the same bytes on every machine. */
async function buildOpensslForLinux(job) {
  const { target, tools, prefix } = job
  const { places, env } = sameOpenssl(job.source)
  const run = commands('OpenSSL', job, { ...compilerEnvironment(tools), ...env })
  const where = [`--prefix=${prefix}`, '--libdir=lib', '--openssldir=/etc/ssl']
  const flags = [...opensslOptions, ...target.flags]
  await run('configuring', './Configure', target.openssl, ...where, ...flags)
  await run('building', 'make', `-j${jobs}`, 'build_libs', ...places)
  await run('installing', 'make', 'install_dev')
}

/** Exports only libnice's own symbols: those of its OpenSSL would bind to Node's, and keep all of OpenSSL linked. */
async function buildLibniceForLinux(job) {
  const shown = join(job.source, 'thru-shown.map')
  writeFileSync(shown, '{ global: nice_*; stun_*; pseudo_tcp_*; local: *; };\n')
  const linkFlags = [...job.target.linkFlags, `-Wl,--version-script=${shown}`, '-Wl,--gc-sections']
  await buildLibnice({ ...job, target: { ...job.target, linkFlags } })
}

/** Produces the same bytes on every machine. */
async function buildOpensslForWeb(job) {
  // Excludes what a page's module can't have (sockets, threads, files) or never offers, and prefers small code. The
  // list is part of this function's text, and thereby of the cache key.
  const webOpenssl = (
    'no-asm no-threads no-sock no-ui-console no-async no-afalgeng no-posix-io no-stdio no-secure-memory no-http ' +
    'no-tls1 no-tls1_1 no-tls1_2 no-ec2m no-des no-mdc2 no-siphash no-scrypt no-slh-dsa no-ml-dsa no-dh no-dsa ' +
    'no-argon2 no-blake2 no-siv no-cmac no-ocb no-rfc3779 no-srtp no-nextprotoneg no-multiblock no-ssl-trace ' +
    'no-cached-fetch no-integrity-only-ciphers no-deprecated no-autoload-config no-filenames no-err ' +
    '-DOPENSSL_SMALL_FOOTPRINT -Os'
  ).split(' ')
  const { target, tools, prefix } = job
  const { places, env } = sameOpenssl(job.source)
  const run = commands('OpenSSL', job, { ...compilerEnvironment(tools), ...env })
  const where = [`--prefix=${prefix}`, '--libdir=lib', '--openssldir=/etc/ssl']
  const options = [...commonOptions.filter((option) => !option.startsWith('-')), ...webOpenssl]
  await run('configuring', './Configure', target.openssl, ...where, ...options, ...target.flags)
  await run('building', 'make', `-j${jobs}`, 'build_libs', ...places)
  await run('installing', 'make', 'install_dev')
}

/** Every address in a module is known when it is linked. */
const notMovable = '-DCMAKE_POSITION_INDEPENDENT_CODE=OFF'

const buildNgtcp2ForWeb = (job) =>
  buildWithCmake(
    'ngtcp2',
    job,
    [
      '-DENABLE_LIB_ONLY=ON',
      '-DENABLE_SHARED_LIB=OFF',
      '-DENABLE_OPENSSL=ON',
      '-DOPENSSL_USE_STATIC_LIBS=ON',
      `-DOPENSSL_ROOT_DIR=${job.prefix}`,
      notMovable,
    ],
    ['-O2', '-DNDEBUG'],
  )

/**
 * Builds BLAKE3's code for NEON: its few instructions are those of WebAssembly, too. It hashes four times as fast as
 * portable code.
 */
async function buildBlake3ForWeb(job) {
  const source = findBlake3(job.source)
  if (!source)
    throw new Failure(`the BLAKE3 source package in ${job.source} has no C library: report this.`)
  // The header is part of this function's text, and thereby of the cache key.
  const neon = `#pragma once
#include <stdint.h>
typedef uint32_t uint32x2_t __attribute__((vector_size(8)));
typedef uint32_t uint32x4_t __attribute__((vector_size(16)));
typedef struct { uint32x4_t val[2]; } uint32x4x2_t;
#define vaddq_u32(a, b) ((a) + (b))
#define veorq_u32(a, b) ((a) ^ (b))
#define vorrq_u32(a, b) ((a) | (b))
#define vshlq_n_u32(a, bits) ((a) << (bits))
#define vshrq_n_u32(a, bits) ((a) >> (bits))
#define vld1q_u32(at) ((uint32x4_t){(at)[0], (at)[1], (at)[2], (at)[3]})
#define vld1q_dup_u32(at) ((uint32x4_t){*(at), *(at), *(at), *(at)})
#define vget_low_u32(a) __builtin_shufflevector(a, a, 0, 1)
#define vget_high_u32(a) __builtin_shufflevector(a, a, 2, 3)
#define vcombine_u32(low, high) __builtin_shufflevector(low, high, 0, 1, 2, 3)
static inline uint32x4x2_t vtrnq_u32(uint32x4_t a, uint32x4_t b) {
  return (uint32x4x2_t){{__builtin_shufflevector(a, b, 0, 4, 2, 6), __builtin_shufflevector(a, b, 1, 5, 3, 7)}};
}
`
  const headers = join(source, 'neon')
  mkdirSync(headers)
  writeFileSync(join(headers, 'arm_neon.h'), neon)
  const files = ['blake3.c', 'blake3_dispatch.c', 'blake3_portable.c', 'blake3_neon.c']
  const sources = files.map((file) => ({ file: join(source, file) }))
  const flags = ['-DBLAKE3_USE_NEON=1', `-I${headers}`]
  const archive = { library: 'blake3', sources, headers: ['blake3.h'], flags }
  await buildArchive('BLAKE3', { ...job, source }, archive)
  const header = readFileSync(join(source, 'blake3.h'), 'utf8')
  const [, version] = /BLAKE3_VERSION_STRING "([^"]+)"/.exec(header) ?? []
  writePkgConfig(job.prefix, { name: 'libblake3', version, libs: '-lblake3' })
}

const buildLibsodiumForWeb = (job) =>
  buildWithAutotools('libsodium', job, ['--disable-ssp', '--without-pthreads', '--disable-asm'])

/** Recipes that differ from `targetRecipes`, by platform. */
const platformRecipes = {
  darwin: {
    libffi: buildLibffiForMacos,
    glib: buildGlibForMacos,
    libnice: buildLibniceForMacos,
  },
  linux: { openssl: buildOpensslForLinux, libnice: buildLibniceForLinux },
  wasi: {
    openssl: buildOpensslForWeb,
    ngtcp2: buildNgtcp2ForWeb,
    blake3: buildBlake3ForWeb,
    libsodium: buildLibsodiumForWeb,
  },
}

/** Returns a target's recipes, by the names of `targetRecipes`. */
export const recipesOf = (target) => ({ ...targetRecipes, ...platformRecipes[target.platform] })

/** Returns the names of `targetRecipes` that a target needs. */
export const recipesFor = (target) =>
  target.libraries ??
  Object.keys(targetRecipes).filter((name) => name !== 'libintl' || target.libintl)
