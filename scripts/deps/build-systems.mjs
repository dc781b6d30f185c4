// Builds libraries for a target (targets.mjs) with CMake, Meson or a configure script, or file by file into an archive.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { runLogged } from '../lib/run.mjs'
import { pythonTool } from './python-tools.mjs'
import { cmakeToolchain, mesonCrossFile } from './targets.mjs'

/** Number of parallel compilers. */
export const jobs = String(availableParallelism())

/** Environment that makes pkg-config find only the target's libraries. */
export const pkgConfigOf = (prefix) => ({
  PKG_CONFIG_LIBDIR: join(prefix, 'lib', 'pkgconfig'),
  PKG_CONFIG_PATH: '',
})

/** The compilers, in the variables that configure scripts and OpenSSL read. */
export const compilerEnvironment = ({ cc, cxx, ar, ranlib, rc }) => ({
  CC: cc,
  CXX: cxx,
  AR: ar,
  RANLIB: ranlib,
  ...(rc && { RC: rc, WINDRES: rc }),
})

/** Returns a function that runs a command in the source folder. Error messages name the step, `what`, and the library. */
export const commands =
  (name, { source, log }, env) =>
  (what, command, ...args) =>
    runLogged(`${what} ${name}`, command, args, { log, cwd: source, env })

/** Configures, builds and installs with CMake; `flags` are for the C compiler. */
export async function buildWithCmake(name, job, options, flags = []) {
  const { target, tools, prefix, source } = job
  const run = commands(name, job, pkgConfigOf(prefix))
  const toolchain = join(source, 'thru-toolchain.cmake')
  writeFileSync(toolchain, cmakeToolchain(target, tools, prefix))
  const build = join(source, 'thru-build')
  const common = [
    '-DCMAKE_BUILD_TYPE=Release',
    '-DCMAKE_POSITION_INDEPENDENT_CODE=ON',
    '-DBUILD_SHARED_LIBS=OFF',
    '-DBUILD_TESTING=OFF',
    '-DCMAKE_INSTALL_LIBDIR=lib',
    `-DCMAKE_INSTALL_PREFIX=${prefix}`,
    `-DCMAKE_PREFIX_PATH=${prefix}`,
    `-DCMAKE_TOOLCHAIN_FILE=${toolchain}`,
    `-DCMAKE_C_FLAGS=${[...target.flags, ...flags].join(' ')}`,
  ]
  const configure = ['-S', source, '-B', build, '-G', 'Ninja', ...common, ...options]
  await run('configuring', 'cmake', ...configure)
  await run('building', 'cmake', '--build', build, '-j', jobs)
  await run('installing', 'cmake', '--install', build)
}

/** Compiles `sources`, each `{ file, own }` with its own flags, into one archive, and installs it with `headers`. */
export async function buildArchive(name, job, { library, sources, headers, flags = [] }) {
  const { source, target, tools, prefix } = job
  const run = commands(name, job)
  for (const folder of ['include', 'lib/pkgconfig'])
    mkdirSync(join(prefix, folder), { recursive: true })
  const common = ['-O3', '-DNDEBUG', '-fPIC', '-fvisibility=hidden', ...target.flags, ...flags]
  const objects = []
  for (const { file, own = [] } of sources) {
    objects.push(file.replace(/\.\w+$/, '.o'))
    await run('building', tools.cc, ...common, ...own, '-c', file, '-o', objects.at(-1))
  }
  await run('archiving', tools.ar, 'rcs', join(prefix, 'lib', `lib${library}.a`), ...objects)
  for (const header of headers) cpSync(join(source, header), join(prefix, 'include', header))
}

/** Writes the .pc file of a library whose source package has none. */
export function writePkgConfig(prefix, { name, version, libs }) {
  const lines = [
    `prefix=${prefix}`,
    `Name: ${name}`,
    `Description: ${name}`,
    `Version: ${version}`,
    'Cflags: -I${prefix}/include',
    `Libs: -L\${prefix}/lib ${libs}`,
    '',
  ]
  writeFileSync(join(prefix, 'lib', 'pkgconfig', `${name}.pc`), lines.join('\n'))
}

/** Generates `configure`, which the source package lacks, then builds and installs. */
export async function buildWithAutotools(name, job, options) {
  const { target, tools, prefix } = job
  const flags = ['-O2', '-fPIC', ...target.flags].join(' ')
  const env = { ...compilerEnvironment(tools), ...pkgConfigOf(prefix), CFLAGS: flags }
  const run = commands(name, job, env)
  await run('preparing', 'autoreconf', '-fi')
  const where = [`--host=${target.triple}`, `--prefix=${prefix}`, `--libdir=${prefix}/lib`]
  const kind = ['--disable-shared', '--enable-static', '--with-pic']
  await run('configuring', './configure', ...where, ...kind, ...options)
  await run('building', 'make', `-j${jobs}`)
  await run('installing', 'make', 'install')
}

/** Configures, builds and installs shared libraries with our own Meson, because some systems' is too old. */
export async function buildWithMeson(name, job, options) {
  const { config, target, tools, prefix, source } = job
  const modules = []
  for (const tool of ['meson', 'packaging']) modules.push(await pythonTool(config, tool))
  const env = { ...pkgConfigOf(prefix), PYTHONPATH: modules.join(delimiter) }
  const run = commands(name, job, env)
  const crossFile = join(source, 'thru-cross.ini')
  writeFileSync(crossFile, mesonCrossFile(target, tools, prefix))
  const build = join(source, 'thru-build')
  const meson = ['python3', '-m', 'mesonbuild.mesonmain']
  const common = [
    '--buildtype=release',
    '--default-library=shared',
    '--libdir=lib',
    '--wrap-mode=nofallback',
    `--prefix=${prefix}`,
    `--cross-file=${crossFile}`,
  ]
  await run('configuring', ...meson, 'setup', build, source, ...common, ...options)
  await run('building', ...meson, 'compile', '-C', build, '-j', jobs)
  await run('installing', ...meson, 'install', '-C', build, '--no-rebuild')
}
