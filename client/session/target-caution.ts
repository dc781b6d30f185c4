/** What a person should know about a folder before someone else's files are written to it. */
import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { homeFolder } from '#client/home-folder'
import type { TargetCaution } from '#shared/offer'

/** Below the home folder of each system: what is put here is run when somebody logs in. */
const startFolders = [
  ['.config', 'autostart'],
  ['.config', 'systemd'],
  ['Library', 'LaunchAgents'],
  ['AppData', 'Roaming', 'Microsoft', 'Windows', 'Start Menu', 'Programs', 'Startup'],
]

/**
 * What there is to say about receiving into `directory`, which is absolute and may not exist yet; with
 * `dotNames` names at the top of the offer begin with a dot. Links count as what they lead to.
 */
export function cautionsOf(
  directory: string,
  dotNames: boolean,
  home: string = homeFolder(),
): readonly TargetCaution[] {
  const place = realPath(directory)
  const base = realPath(home)
  const below = partsBelow(base, place)
  const cautions: TargetCaution[] = []
  if (below?.length === 0 || (below === null && partsBelow(place, base) !== null)) {
    cautions.push('home')
  }
  if (below !== null && startFolders.some((folder) => isBelow(folder, below))) {
    cautions.push('start-up')
  } else if (below?.some((part) => part.startsWith('.')) === true) {
    cautions.push('settings')
  }
  if (dotNames) cautions.push('hidden-names')
  return cautions
}

/** Real path of the nearest folder above that exists, with the rest as it was given. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : realPath(above) + path.slice(above.replace(/[\\/]$/, '').length)
  }
}

/** The components of `path` behind `above`; `null` when it is not below. */
function partsBelow(above: string, path: string): readonly string[] | null {
  const way = relative(above, path)
  if (way === '') return []
  const parts = way.split(sep)
  return isAbsolute(way) || parts[0] === '..' ? null : parts
}

const isBelow = (folder: readonly string[], parts: readonly string[]): boolean =>
  folder.every((name, at) => parts[at]?.toLowerCase() === name.toLowerCase())
