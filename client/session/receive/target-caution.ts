/** Warnings about a folder before someone else's files are written to it. */
import { realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, relative, sep } from 'node:path'
import { homeFolder } from '#client/home-folder'
import type { TargetCaution } from '#shared/offer'

/** Relative to the home folder; their subfolders count, too. */
const startUp = [
  ...[
    ['.config', 'autostart'],
    ['.config', 'systemd'],
    ['Library', 'LaunchAgents'],
  ],
  ['AppData', 'Roaming', 'Microsoft', 'Windows', 'Start Menu', 'Programs', 'Startup'],
]
const programs = [['bin'], ['.local', 'bin'], ['Applications'], ['AppData', 'Local', 'Programs']]
const settings = [['Library'], ['AppData']]
/** Exceptions from `settings`, where people keep files. */
const ordinary = [
  ...[
    ['Library', 'Mobile Documents'],
    ['Library', 'CloudStorage'],
  ],
  ['AppData', 'Local', 'Temp'],
]

/** Absolute paths; their subfolders count, too. */
const ofComputer =
  sep === '/'
    ? {
        startUp: ['/etc/init.d', '/etc/cron.d', '/etc/systemd', '/etc/xdg/autostart'].concat([
          '/var/spool/cron',
          '/Library/LaunchAgents',
          '/Library/LaunchDaemons',
        ]),
        programs: ['/bin', '/sbin', '/lib', '/usr', '/opt', '/boot', '/Applications', '/System'],
        settings: ['/etc', '/Library'],
      }
    : { startUp: [], programs: [], settings: [] }

/** Environment variables that name such folders on Windows. */
const programVariables = ['SystemRoot', 'ProgramFiles', 'ProgramFiles(x86)', 'ProgramW6432']
const settingsVariable = 'ProgramData'

/** The home folder and the environment of this account. */
export type Surroundings = {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The warnings about receiving into `directory`, which is absolute and may not exist yet. With `dotNames` the offer has
 * names that begin with a dot, at any depth. Links are resolved.
 */
export function cautionsOf(
  directory: string,
  dotNames: boolean,
  { home, env }: Surroundings = { home: homeFolder(), env: process.env },
): readonly TargetCaution[] {
  const place = realPath(directory)
  const base = realPath(home)
  const below = partsBelow(base, place)
  const isHome = below?.length === 0 || (below === null && partsBelow(place, base) !== null)
  const caution = isHome ? 'home' : kindOf(place, below, env)
  const cautions: TargetCaution[] = caution === null ? [] : [caution]
  if (dotNames) cautions.push('hidden-names')
  return cautions
}

/** `below`: the path components below the home folder; `null` elsewhere. */
function kindOf(
  place: string,
  below: readonly string[] | null,
  env: Surroundings['env'],
): 'start-up' | 'programs' | 'settings' | null {
  const isIn = (folders: readonly (readonly string[])[]): boolean =>
    below !== null && folders.some((folder) => isBelow(folder, below))
  const isInOne = (folders: readonly (string | undefined)[]): boolean =>
    folders.some((folder) => !!folder && partsBelow(realPath(folder), place) !== null)
  // Folders with equal names are merged, so a parent of such a folder is no safer.
  const leadsToStartUp =
    (below !== null && startUp.some((folder) => isBelow(below, folder))) ||
    ofComputer.startUp.some((folder) => partsBelow(place, realPath(folder)) !== null)
  if (leadsToStartUp || isIn(startUp) || isInOne(ofComputer.startUp)) return 'start-up'
  const searched = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  const installed = [...ofComputer.programs, ...programVariables.map((name) => env[name])]
  if (isIn(programs) || isInOne(installed) || searched.some((one) => realPath(one) === place)) {
    return 'programs'
  }
  const isHidden = (below ?? place.split(sep)).some((part) => part.startsWith('.'))
  const isOfPrograms = isIn(settings) && !isIn(ordinary)
  const isOfAll = isInOne([...ofComputer.settings, env[settingsVariable]])
  return isHidden || isOfPrograms || isOfAll ? 'settings' : null
}

/** The real path of the nearest existing ancestor, followed by the rest as given. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : realPath(above) + path.slice(above.replace(/[\\/]$/, '').length)
  }
}

/** The components of `path` below `above`; `null` if it is not below. */
function partsBelow(above: string, path: string): readonly string[] | null {
  const way = relative(above, path)
  if (way === '') return []
  const parts = way.split(sep)
  return isAbsolute(way) || parts[0] === '..' ? null : parts
}

/** Ignores case, as these systems do. */
const isBelow = (folder: readonly string[], parts: readonly string[]): boolean =>
  folder.every((name, at) => parts[at]?.toLowerCase() === name.toLowerCase())
