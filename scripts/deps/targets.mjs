// The systems that the engine can be built for from Linux: what each one calls itself in every build system, and what
// compiles for it. A build without a target is the developer's own and knows none of this.
import { Failure } from '../lib/failure.mjs'

/** The name of the shared object that a program asks for is found in the folder of whoever asks. */
const besideElf = ['-Wl,-rpath,$ORIGIN', '-Wl,-z,origin']
const besideMacho = ['-Wl,-rpath,@loader_path', '-Wl,-headerpad_max_install_names']

const mingw = {
  kind: 'gcc',
  platform: 'win32',
  prefix: 'x86_64-w64-mingw32-',
  /** Posix threads carry std::thread and std::mutex; the other variant of Debian's compiler has neither. */
  suffix: '-posix',
  cmakeSystem: 'Windows',
  mesonSystem: 'windows',
  flags: [],
  // No DLL of the compiler stands beside ours.
  linkFlags: ['-static-libgcc'],
  sharedSuffix: '.dll',
  libintl: true,
}
const macos = {
  kind: 'zig',
  platform: 'darwin',
  cmakeSystem: 'Darwin',
  mesonSystem: 'darwin',
  // zig's linker takes no list of what a library shows: archives keep their names to themselves, so GLib and libnice do not show
  // those of the ones inside.
  flags: ['-fvisibility=hidden', '-DSODIUM_STATIC', '-DNGTCP2_STATICLIB', '-DUTF8PROC_STATIC'],
  linkFlags: besideMacho,
  sharedSuffix: '.dylib',
  libintl: true,
}
const linux = {
  // Its C library is as old as one asks for, so that what it compiles runs on old systems (ADR 0028).
  kind: 'zig',
  platform: 'linux',
  cmakeSystem: 'Linux',
  mesonSystem: 'linux',
  flags: [],
  linkFlags: besideElf,
  // Optimized together with the engine that calls it: without, a transfer takes 15 % more CPU.
  libraryFlags: { ngtcp2: ['-flto'] },
  sharedSuffix: '.so',
  libintl: false,
}
const x64 = { arch: 'x64', cpu: 'x86_64' }
const arm64 = { arch: 'arm64', cpu: 'aarch64' }

/**
 * Each target by the name that Node has for it: `platform` and `arch` are Node's, `cpu` is what CMake, Meson and
 * configure scripts say, `triple` is theirs too; `kind` is the compiler's, `packages` are the system packages it comes in.
 * `libintl` is true where the C library has no gettext of its own. `zig` is what zig calls the target, `flags` are of all C
 * and C++, `libraryFlags` of one library each.
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
}
/** The libraries whose license (LGPL) asks that a user can replace them; all others become part of the addon. */
export const sharedLibraries = ['glib', 'libnice']

/**
 * The target of this name; a Failure that lists them for any other.
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
 * What CMake reads before anything else. `tools` are paths of programs; `prefix` is the folder of the target's
 * libraries, beside which nothing of this machine is found.
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

/** Meson's cross file, which finds libraries in `prefix` alone. */
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
    // Some questions are asked to the C++ compiler.
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
