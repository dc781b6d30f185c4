// Systems, and WebAssembly, that the engine can be built for on Linux, with their names in each build system, and their compilers.
import { Failure } from '../lib/failure.mjs'

/** A library is searched for in the folder of the file that loads it. */
const besideElf = ['-Wl,-rpath,$ORIGIN', '-Wl,-z,origin']
const besideMacho = ['-Wl,-rpath,@loader_path', '-Wl,-headerpad_max_install_names']

const mingw = {
  kind: 'gcc',
  platform: 'win32',
  prefix: 'x86_64-w64-mingw32-',
  /** POSIX threads provide std::thread and std::mutex; the other variant of Debian's compiler has neither. */
  suffix: '-posix',
  cmakeSystem: 'Windows',
  mesonSystem: 'windows',
  flags: [],
  // Our packages contain no compiler DLL.
  linkFlags: ['-static-libgcc'],
  sharedSuffix: '.dll',
  libintl: true,
}
const macos = {
  kind: 'zig',
  platform: 'darwin',
  cmakeSystem: 'Darwin',
  mesonSystem: 'darwin',
  // zig's linker accepts no list of exports, so archives hide their symbols. GLib and libnice would export them.
  flags: ['-fvisibility=hidden', '-DSODIUM_STATIC', '-DNGTCP2_STATICLIB', '-DUTF8PROC_STATIC'],
  linkFlags: besideMacho,
  sharedSuffix: '.dylib',
  libintl: true,
}
const linux = {
  // zig can target an old C library, so its output runs on old systems (ADR 0028).
  kind: 'zig',
  platform: 'linux',
  cmakeSystem: 'Linux',
  mesonSystem: 'linux',
  flags: [],
  linkFlags: besideElf,
  // Optimized together with the engine that calls it; otherwise a transfer takes 15 % more CPU.
  libraryFlags: { ngtcp2: ['-flto'] },
  sharedSuffix: '.so',
  libintl: false,
}
/** Emulations of functions that WebAssembly lacks: the libraries declare them, but a page calls none of them. */
const wasiEmulations = ['signal', 'process-clocks', 'mman', 'getpid']
const wasi = {
  kind: 'zig',
  platform: 'wasi',
  cmakeSystem: 'WASI',
  mesonSystem: 'wasi',
  flags: [
    '-msimd128',
    '-fno-exceptions',
    '-fvisibility=hidden',
    ...wasiEmulations.map((name) => `-D_WASI_EMULATED_${name.toUpperCase().replace('-', '_')}`),
  ],
  linkFlags: wasiEmulations.map((name) => `-lwasi-emulated-${name}`),
  libintl: false,
  /** The module only receives, over a stream that the page opens: no ICE and no names of files. */
  libraries: ['openssl', 'ngtcp2', 'blake3', 'libsodium'],
}
const x64 = { arch: 'x64', cpu: 'x86_64' }
const arm64 = { arch: 'arm64', cpu: 'aarch64' }

/**
 * Targets by Node's names: `platform` and `arch` are Node's, `cpu` and `triple` those of CMake, Meson and configure
 * scripts. `kind` is the compiler's, `packages` are its system packages. `libintl` is true if the C library has no
 * gettext; `libraries` are those in use, if not all. `zig` is zig's name of the target; `flags` apply to all C and C++ code, `libraryFlags` to single libraries.
 */
export const targets = {
  'win32-x64': {
    name: 'win32-x64',
    ...mingw,
    ...x64,
    triple: 'x86_64-w64-mingw32',
    openssl: 'mingw64',
    packages: ['g++-mingw-w64-x86-64-posix', 'binutils-mingw-w64-x86-64'],
  },
  'linux-x64': {
    name: 'linux-x64',
    ...linux,
    ...x64,
    triple: 'x86_64-linux-gnu',
    zig: 'x86_64-linux-gnu.2.28',
    openssl: 'linux-x86_64',
    strip: 'x86_64-linux-gnu-strip',
    packages: ['binutils-x86-64-linux-gnu'],
  },
  'linux-arm64': {
    name: 'linux-arm64',
    ...linux,
    ...arm64,
    triple: 'aarch64-linux-gnu',
    zig: 'aarch64-linux-gnu.2.28',
    openssl: 'linux-aarch64',
    strip: 'aarch64-linux-gnu-strip',
    packages: ['binutils-aarch64-linux-gnu'],
  },
  'darwin-x64': {
    name: 'darwin-x64',
    ...macos,
    ...x64,
    triple: 'x86_64-apple-darwin',
    zig: 'x86_64-macos.13.3',
    openssl: 'darwin64-x86_64-cc',
    packages: [],
  },
  'darwin-arm64': {
    name: 'darwin-arm64',
    ...macos,
    ...arm64,
    triple: 'aarch64-apple-darwin',
    zig: 'aarch64-macos.13.3',
    openssl: 'darwin64-arm64-cc',
    packages: [],
  },
  web: {
    name: 'web',
    ...wasi,
    arch: 'wasm32',
    cpu: 'wasm32',
    triple: 'wasm32-wasi',
    zig: 'wasm32-wasi',
    openssl: 'linux-generic32',
    packages: [],
  },
}

/**
 * Returns the target of this name; throws a Failure with the list if it doesn't exist.
 * @param {string} name
 * @returns {(typeof targets)[keyof typeof targets]}
 */
export function targetNamed(name) {
  if (Object.hasOwn(targets, name)) return targets[name]
  throw new Failure(`"${name}" is not a target: ${Object.keys(targets).join(', ')}.`)
}

/** Quotes a value for CMake's and Meson's files. */
const quoted = (value) => JSON.stringify(value)

/**
 * Returns CMake's toolchain file. `tools` are paths of programs; `prefix` is the folder of the target's libraries, the
 * only ones that CMake finds.
 */
export function cmakeToolchain(target, tools, prefix) {
  const setting = (name, value) => `set(${name} ${quoted(value)})`
  const flags = target.flags.join(' ')
  const linkFlags = target.linkFlags.join(' ')
  return [
    setting('CMAKE_SYSTEM_NAME', target.cmakeSystem),
    setting('CMAKE_SYSTEM_PROCESSOR', target.cpu),
    setting('CMAKE_C_COMPILER', tools.cc),
    setting('CMAKE_CXX_COMPILER', tools.cxx),
    setting('CMAKE_AR', tools.ar),
    setting('CMAKE_RANLIB', tools.ranlib),
    ...(tools.rc ? [setting('CMAKE_RC_COMPILER', tools.rc)] : []),
    setting('CMAKE_C_FLAGS_INIT', flags),
    setting('CMAKE_CXX_FLAGS_INIT', flags),
    ...['EXE', 'SHARED', 'MODULE'].map((kind) =>
      setting(`CMAKE_${kind}_LINKER_FLAGS_INIT`, linkFlags),
    ),
    ...(target.platform === 'darwin' ? [setting('CMAKE_OSX_DEPLOYMENT_TARGET', '13.3')] : []),
    setting('CMAKE_FIND_ROOT_PATH', prefix),
    'set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)',
    ...['LIBRARY', 'INCLUDE', 'PACKAGE'].map((kind) =>
      setting(`CMAKE_FIND_ROOT_PATH_MODE_${kind}`, 'ONLY'),
    ),
    '',
  ].join('\n')
}

/** Returns Meson's cross file, which finds libraries only in `prefix`. */
export function mesonCrossFile(target, tools, prefix) {
  const list = (values) => `[${values.map((value) => `'${value}'`).join(', ')}]`
  const flags = [...target.flags, `-I${prefix}/include`]
  const linkFlags = [...target.linkFlags, `-L${prefix}/lib`]
  const programs = { c: tools.cc, cpp: tools.cxx, ar: tools.ar, ranlib: tools.ranlib }
  return [
    '[binaries]',
    ...Object.entries(programs).map(([name, path]) => `${name} = '${path}'`),
    ...(tools.strip ? [`strip = '${tools.strip}'`] : []),
    ...(tools.rc ? [`windres = '${tools.rc}'`] : []),
    "pkg-config = 'pkg-config'",
    '[host_machine]',
    `system = '${target.mesonSystem}'`,
    `cpu_family = '${target.cpu}'`,
    `cpu = '${target.cpu}'`,
    "endian = 'little'",
    '[built-in options]',
    // Meson runs some checks with the C++ compiler.
    ...['c', 'cpp'].flatMap((language) => [
      `${language}_args = ${list(flags)}`,
      `${language}_link_args = ${list(linkFlags)}`,
    ]),
    '[properties]',
    'needs_exe_wrapper = true',
    `pkg_config_libdir = '${prefix}/lib/pkgconfig'`,
    '',
  ].join('\n')
}
