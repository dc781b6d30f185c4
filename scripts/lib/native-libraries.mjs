// The native libraries that are in what was built: which version, from which source, under which licence.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOfFile, root } from './cache.mjs'
import { Failure } from './failure.mjs'
import { capture } from './run.mjs'

/**
 * By the name in native/deps.json: pkg-config's module, the SPDX expression, and for those that stay files of their own
 * beside the addon the names of these.
 */
const libraries = {
  openssl: { module: 'openssl', license: 'Apache-2.0' },
  ngtcp2: { module: 'libngtcp2', license: 'MIT' },
  blake3: { module: 'libblake3', license: 'CC0-1.0 OR Apache-2.0' },
  libsodium: { module: 'libsodium', license: 'ISC' },
  utf8proc: { module: 'libutf8proc', license: 'MIT AND Unicode-DFS-2015' },
  glib: {
    module: 'glib-2.0',
    license: 'LGPL-2.1-or-later',
    files: /^lib(glib|gobject|gio|gmodule|gthread)-2\.0\b/,
  },
  libnice: { module: 'nice', license: 'LGPL-2.1-or-later OR MPL-1.1', files: /^libnice\b/ },
  pcre2: { module: 'libpcre2-8', license: 'BSD-3-Clause WITH PCRE2-exception' },
  libffi: { module: 'libffi', license: 'MIT' },
  zlib: { module: 'zlib', license: 'Zlib' },
}

/** Inside of GLib, and so only where GLib itself was built. */
const partsOfGlib = ['pcre2', 'libffi', 'zlib']

const isLibrary = /\.(so(\.\d+)*|dylib|dll)$/

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
 * became part of it, and those beside it with their `files`. A `license` or `source` that is not ours to name is undefined.
 * @param {{ prefix: string | undefined, folder: string }} build
 * @returns {{ name: string, version: string, license: string | undefined, source: { file: string, sha256: string } | undefined,
 *   files: { name: string, sha256: string }[] }[]}
 */
export function nativeLibraries({ prefix = '', folder }) {
  const config = JSON.parse(readFileSync(join(root, 'native', 'deps.json'), 'utf8'))
  const shared = readdirSync(folder)
    .filter((name) => isLibrary.test(name))
    .sort()
    .map((name) => ({ name, sha256: hashOfFile(join(folder, name)) }))
  const ours = Object.entries(libraries).flatMap(([name, { module, license, files }]) => {
    const built = join(prefix, 'lib', 'pkgconfig', `${module}.pc`)
    if (partsOfGlib.includes(name) && !existsSync(built)) return []
    const version = moduleVersion(module, built)
    if (!version) throw new Failure(`pkg-config does not know ${module}: build the engine first.`)
    const dependency = config.targetDependencies?.[name] ?? config.dependencies[name]
    const source = existsSync(built) ? sourceOf(dependency, version) : undefined
    const beside = shared.filter((file) => files?.test(file.name))
    return [{ name, version: source?.version ?? version, license, source, files: beside }]
  })
  const taken = ours.flatMap(({ files }) => files)
  const others = shared
    .filter((file) => !taken.includes(file))
    .map((file) => ({
      ...systemPackage(file.name),
      ...{ license: undefined, source: undefined, files: [file] },
    }))
  return [...ours, ...others]
}
