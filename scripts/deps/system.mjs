// Which native libraries the system already has, asked through pkg-config.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from '../lib/run.mjs'
import { isAccepted } from './version.mjs'

/**
 * Looks a dependency of deps.json up: `{ version, usable, why }`. Libraries with a `static` list count only with
 * their archives: a shared libssl inside Node would bind to Node's own TLS symbols.
 */
export function findOnSystem(dependency) {
  let version
  for (const module of dependency.pkgConfig) {
    const found = capture('pkg-config', ['--modversion', module])
    if (!found) return { usable: false, why: `pkg-config does not know ${module}` }
    version ??= found
    if (!isAccepted(found, dependency)) {
      return {
        version,
        usable: false,
        why: `${module} is ${found}, needed is ${dependency.minimum} or newer`,
      }
    }
  }
  const libdir = capture('pkg-config', ['--variable=libdir', dependency.pkgConfig[0]]) ?? ''
  const missing = (dependency.static ?? []).find(
    (name) => !existsSync(join(libdir, `lib${name}.a`)),
  )
  if (missing) return { version, usable: false, why: `there is no static lib${missing}.a` }
  return { version, usable: true }
}
