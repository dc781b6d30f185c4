/** Determines how this copy of the app or command was installed, and thus who updates it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpdatableKind } from '#shared/update/feed'
import type { UpdatedBy } from '#shared/update/update-status'

/** The updater of this copy, and its kind of package if it updates itself. */
export type Packaging = { readonly by: UpdatedBy; readonly kind: UpdatableKind | null }

/** Evidence of the installation. */
export type Surroundings = {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path of the running program, without links. */
  readonly program: string
  /** The content of `resources/package-type`; '' for none. */
  readonly packageType: string
  /** True if our installer put it here. */
  readonly hasUninstaller: boolean
}

const person: Packaging = { by: 'person', kind: null }
const system: Packaging = { by: 'system', kind: null }
const itself = (kind: UpdatableKind): Packaging => ({ by: 'app', kind })

/** Types of Linux packages that a package manager installs. */
const ofSystem: ReadonlySet<string> = new Set(['deb', 'rpm', 'flatpak'])

/** A package's claim about itself is valid only if the surroundings agree. */
export function packagingOf(surroundings: Surroundings): Packaging {
  const { platform, isPackaged, env, packageType } = surroundings
  if (!isPackaged) return person
  if (platform === 'linux') {
    if (env['FLATPAK_ID'] !== undefined || env['SNAP'] !== undefined) return system
    if (ofSystem.has(packageType)) return system
    return appImageOf(surroundings) === null ? person : itself('appimage')
  }
  if (platform === 'win32') {
    if (env['PORTABLE_EXECUTABLE_FILE'] !== undefined) return person
    return surroundings.hasUninstaller ? itself('nsis') : person
  }
  return platform === 'darwin' ? itself('mac-zip') : person
}

/**
 * The AppImage that contains this program, or `null`. Another AppImage, such as a terminal or a browser, passes its
 * variables on to its child processes. They concern this program only if it is in the folder they name.
 */
export function appImageOf({
  env,
  program,
  packageType,
}: Pick<Surroundings, 'env' | 'program' | 'packageType'>): string | null {
  const { APPIMAGE: image, APPDIR: folder } = env
  const isInside = Boolean(folder) && program.startsWith(`${folder}/`)
  return packageType === 'appimage' && isInside ? image || null : null
}

/** The type in this package; '' for none. */
export function packageTypeIn(resources: string): string {
  try {
    return readFileSync(join(resources, 'package-type'), 'utf8').trim().slice(0, 20)
  } catch {
    return ''
  }
}
