// Checks with pkg-config which native libraries the system has.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from '../lib/run.mjs'
import { missedLimit } from './version.mjs'

/** Queries about this machine. */
export const thisSystem = {
  /** The version of a pkg-config module, or undefined. */
  version: (module) => capture('pkg-config', ['--modversion', module]),
  /** The folder of a module's libraries. */
  folder: (module) => capture('pkg-config', ['--variable=libdir', module]) ?? '',
  exists: existsSync,
  links: linksIntoAddon,
}

/** True if the archives can be linked into a shared object, with the system's other libraries. */
function linksIntoAddon(archives, modules) {
  const needed = capture('pkg-config', ['--static', '--libs', ...modules])
  if (needed === undefined) return false
  const dir = mkdtempSync(join(tmpdir(), 'thruflux-link-'))
  try {
    const whole = ['-Wl,--whole-archive', ...archives, '-Wl,--no-whole-archive']
    const output = ['-shared', '-o', join(dir, 'all.so'), '-Wl,-z,defs', '-Wl,-Bsymbolic']
    const others = needed.split(/\s+/).filter(Boolean)
    return capture('cc', [...output, ...whole, ...others]) !== undefined
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/**
 * Returns undefined if the system's version of a dependency fits, else the reason. Libraries with a `static` list need
 * their archives: a shared libssl inside Node would bind to Node's own TLS symbols.
 */
export function whyNotSystem(dependency, system = thisSystem) {
  for (const module of dependency.pkgConfig) {
    const version = system.version(module)
    if (!version) return `pkg-config doesn't know ${module}`
    const missed = missedLimit(version, dependency)
    if (missed) return `${module} ${version} is ${missed}`
  }
  if (!dependency.static) return undefined
  const folder = system.folder(dependency.pkgConfig[0])
  const archives = dependency.static.map((name) => join(folder, `lib${name}.a`))
  const missing = archives.find((archive) => !system.exists(archive))
  if (missing) return `there is no ${missing}`
  if (system.links(archives, dependency.pkgConfig)) return undefined
  return `${archives.join(' and ')} can't be linked into the addon, or need missing libraries`
}
