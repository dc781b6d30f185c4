// The native libraries that are in what was built: which version, from which source, under which license.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOfFile, root } from './cache.mjs'
import { Failure } from './failure.mjs'
import { isFileOf, isLibrary, nativeWorks } from './notices.mjs'
import { capture } from './run.mjs'

/** pkg-config's module by the name in native/deps.json. */
const modules = {
  openssl: 'openssl',
  ngtcp2: 'libngtcp2',
  blake3: 'libblake3',
  libsodium: 'libsodium',
  utf8proc: 'libutf8proc',
  glib: 'glib-2.0',
  libnice: 'nice',
  pcre2: 'libpcre2-8',
  libffi: 'libffi',
  zlib: 'zlib',
}

/** vcpkg's ports have sources of their own; it builds everything where the system has no packages. */
const isOfVcpkg = process.platform !== 'linux'

/** Needed by GLib, and so ours only where GLib itself was built. */
const partsOfGlib = ['pcre2', 'libffi', 'zlib']

/** The version of a module, of `prefix` if it is there. */
function moduleVersion(module, file) {
  if (!existsSync(file)) return capture('pkg-config', ['--modversion', module])
  return /^Version: *(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1]
}

/** The source in native/deps.json that a library was built from: `{ file, sha256, version }` of what it carries. */
function sourceOf({ sha256, sources }, version) {
  const listed = Object.entries(sha256).map(([file, sum]) => {
    const [, name, packaged] = /^(.*)_([0-9][^_]*?)\.orig/.exec(file)
    const carries = sources.find((source) => source.package === name)?.carries
    return { file, sha256: sum, version: carries ?? packaged.replace(/^.*\+really/, '') }
  })
  // utf8proc's module counts its interface, so its only source counts, whatever that says.
  return listed.length === 1 ? listed[0] : listed.find((source) => source.version === version)
}

/** The system's package that a shared library was copied from: `{ name, version }`. */
function systemPackage(file) {
  const [line = ''] = (capture('dpkg-query', ['-S', `*/${file}`]) ?? '').split('\n')
  const [, name] = /^([\w.+-]+)(?::\w+)?: /.exec(line) ?? []
  const version = name && capture('dpkg-query', ['-W', '-f', '${Version}', name])
  if (!version) throw new Failure(`Nobody knows where ${file} comes from: build it anew.`)
  return { name, version }
}

/**
 * Libraries of the addon in `folder`, which was linked with those of `prefix` and otherwise of this system: those that
 * became part of it, and those beside it with their `files`. Only libraries of listed sources have a `source`, and the system's
 * have their licenses in their packages.
 * @param {{ prefix: string | undefined, folder: string }} build
 * @returns {{ name: string, version: string, license?: string | undefined, source?: { file: string, sha256: string } | undefined,
 *   files: { name: string, sha256: string }[] }[]}
 */
export function nativeLibraries({ prefix = '', folder }) {
  const config = JSON.parse(readFileSync(join(root, 'native', 'deps.json'), 'utf8'))
  const works = nativeWorks()
  const shared = readdirSync(folder)
    .filter(isLibrary)
    .sort()
    .map((name) => ({ name, sha256: hashOfFile(join(folder, name)) }))
  const ours = Object.entries(modules).flatMap(([name, module]) => {
    const built = join(prefix, 'lib', 'pkgconfig', `${module}.pc`)
    if (partsOfGlib.includes(name) && !existsSync(built)) return []
    const version = moduleVersion(module, built)
    if (!version) throw new Failure(`pkg-config does not know ${module}: build the engine first.`)
    const dependency = config.targetDependencies?.[name] ?? config.dependencies[name]
    const isListed = existsSync(built) && !isOfVcpkg
    const source = isListed ? sourceOf(dependency, version) : undefined
    const { license, files = [] } = works.find((work) => work.name.toLowerCase() === name)
    const beside = shared.filter((file) => files.some((one) => isFileOf(one, file.name)))
    return [{ name, version: source?.version ?? version, license, source, files: beside }]
  })
  const taken = ours.flatMap(({ files }) => files)
  const others = new Map()
  for (const file of shared.filter((one) => !taken.includes(one))) {
    const found = systemPackage(file.name)
    const files = others.get(found.name)?.files ?? []
    others.set(found.name, { ...found, files: [...files, file] })
  }
  return [...ours, ...others.values()]
}
