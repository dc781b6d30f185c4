/**
 * The wanted entries of an offer. Only choices that differ from the folder above are stored, so a million files cost
 * nothing and unseen entries follow their folder. Paths have `/` between components and none at their start; `''` is
 * the whole offer.
 */
import { limits } from '#shared/limits'
import type { ListingEntry } from '#shared/offer'
import { selectAll, type Selection } from '#shared/settings/receive-options'

type Amount = Pick<ListingEntry, 'files' | 'bytes'>

/** A choice that differs from the folder above, and the amount it affects. */
type Choice = Amount & { readonly wanted: boolean }

export type Ticks = ReadonlyMap<string, Choice>

export const allTicked: Ticks = new Map()

export const joinPath = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const isBelow = (path: string, folder: string): boolean =>
  path !== folder && (folder === '' || path.startsWith(`${folder}/`))

/** True when an entry itself is wanted, regardless of the choices below it. */
export function isWanted(ticks: Ticks, path: string): boolean {
  for (let at = path; ; at = folderOf(at)) {
    const choice = ticks.get(at)
    if (choice !== undefined) return choice.wanted
    if (at === '') return true
  }
}

const below = (ticks: Ticks, folder: string): readonly (readonly [string, Choice])[] =>
  [...ticks].filter(([path]) => isBelow(path, folder))

/** `mixed` when choices below differ, unless none of the `total` files is wanted. */
export function tickOf(ticks: Ticks, path: string, total: Amount): boolean | 'mixed' {
  if (below(ticks, path).length === 0) return isWanted(ticks, path)
  return total.files > 0 && wantedOf(ticks, path, total).files === 0 ? false : 'mixed'
}

/** Toggles an entry with its contents; a mixed one becomes ticked. */
export function toggled(ticks: Ticks, path: string, { files, bytes }: Amount): Ticks {
  const wanted = tickOf(ticks, path, { files, bytes }) !== true
  const others = new Map([...ticks].filter(([other]) => other !== path && !isBelow(other, path)))
  const inherited = path === '' || isWanted(others, folderOf(path))
  return wanted === inherited ? others : others.set(path, { wanted, files, bytes })
}

/** The wanted amount of an entry. */
export function wantedOf(ticks: Ticks, path: string, total: Amount): Amount {
  const start = isWanted(ticks, path) ? total : { files: 0, bytes: 0 }
  return below(ticks, path).reduce(
    (sum, [, { wanted, files, bytes }]) => ({
      files: sum.files + (wanted ? files : -files),
      bytes: sum.bytes + (wanted ? bytes : -bytes),
    }),
    start,
  )
}

/** A pattern for exactly this path and its contents. */
export const patternOf = (path: string): string => `/${path.replace(/[\\*?[\]]/g, '\\$&')}`

/** The names in a folder of the offer, when all of them are known. */
export type NamesIn = (folder: string) => readonly string[] | null

/**
 * The ticks as patterns: wanted folders, and the holes in them. A hole that contains wanted entries is split into the
 * names around these. `null` when nothing is wanted, when the names aren't all known, or when there would be more than
 * `limits.patterns`.
 */
export function selectionOf(ticks: Ticks, namesIn: NamesIn): Selection | null {
  const pathsOf = (wanted: boolean): readonly string[] =>
    [...ticks].filter(([, choice]) => choice.wanted === wanted).map(([path]) => path)
  const [wanted, holes] = [pathsOf(true), pathsOf(false)]
  const islandsIn = (hole: string): readonly string[] => {
    const inside = wanted.filter((path) => isBelow(path, hole))
    return inside.filter((path) => !inside.some((other) => isBelow(path, other)))
  }

  const only: string[] = []
  const except: string[] = []
  const visit = (path: string): boolean => {
    if (!isWanted(ticks, path)) return islandsIn(path).every(visit)
    const inside = holes.filter((hole) => isBelow(hole, path))
    if (inside.some((hole) => islandsIn(hole).length > 0)) {
      return namesIn(path)?.every((name) => visit(joinPath(path, name))) ?? false
    }
    if (path !== '') only.push(patternOf(path))
    except.push(...inside.map(patternOf))
    return true
  }
  const isSaid = visit('') && (only.length > 0 || isWanted(ticks, ''))
  const fits = only.length <= limits.patterns && except.length <= limits.patterns
  return isSaid && fits ? { ...selectAll, only, except } : null
}
