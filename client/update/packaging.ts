/** How this copy of the app or of the command was installed, and so who brings it up to date. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpdatableKind } from '#shared/update/feed'
import type { UpdatedBy } from '#shared/update/update-status'

/** Who brings this copy up to date, and as which kind of package if that is itself. */
export type Packaging = { readonly by: UpdatedBy; readonly kind: UpdatableKind | null }

/** What tells how this copy was installed. */
export type Surroundings = {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the program is that runs, without links. */
  readonly program: string
  /** The word that packages put into `resources/package-type`; '' for none. */
  readonly packageType: string
  /** Our installer has put it here. */
  readonly hasUninstaller: boolean
}

const person: Packaging = { by: 'person', kind: null }
const system: Packaging = { by: 'system', kind: null }
const itself = (kind: UpdatableKind): Packaging => ({ by: 'app', kind })

/** The words of Linux packages that a package manager installs. */
const ofSystem: ReadonlySet<string> = new Set(['deb', 'rpm', 'flatpak'])

/** What a package says of itself counts only where the surroundings agree. */
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
 * The AppImage that this program came out of, or `null`. Another one, such as a terminal or a browser, leaves its
 * variables to whatever it starts: only those of the folder that this program is in are about this one.
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

/** The word in this package; '' for none. */
export function packageTypeIn(resources: string): string {
  try {
    return readFileSync(join(resources, 'package-type'), 'utf8').trim().slice(0, 20)
  } catch {
    return ''
  }
}
