/** Interprets `--rename`. The items that it names are known only once there is an offer. */
import { type AppError, appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import type { Rename } from '#shared/settings/receive-options'
import { nameOf, nameProblem, withRename } from '#shared/settings/renames'
import type { Item } from '#shared/state/app-state'
import { text as words } from '../text'

const bad = (detail: string): Result<never, AppError> =>
  err(appError('E_BAD_ARGUMENT', detail, '--rename'))

const shown = (text: string): string => visibleText(text.slice(0, 100))

const separator = '='

/** The error that no offer could cure, before anything starts; `null` if there is none. */
export function checkRenames(given: readonly string[]): AppError | null {
  if (given.length > limits.renames) return tooMany
  for (const text of given) {
    const possible = readingsOf(text).filter(({ item }) => !item.includes('/'))
    const names = text.includes(separator) ? possible.map(({ name }) => name) : [text]
    if (names.some((name) => nameProblem(name, []) === null)) continue
    const [name = text] = names
    const problem = names.length === 0 ? null : nameProblem(name, [])
    const error = words.argument.rename[problem ?? 'noItem'](shown(name))
    return appError('E_BAD_ARGUMENT', error, '--rename')
  }
  return null
}

/** The meanings that `OLD=NEW` can have, since names may contain `=`; the longest OLD is the first. */
const readingsOf = (text: string): readonly Rename[] =>
  [...text.matchAll(/=/g)]
    .filter(({ index }) => index > 0)
    .map(({ index }) => ({ item: text.slice(0, index), name: text.slice(index + 1) }))
    .reverse()

const tooMany = appError('E_BAD_ARGUMENT', words.argument.rename.many(limits.renames), '--rename')

/**
 * The renames of an offer with these items. `OLD=NEW` means the item with the longest name that fits, since names may
 * contain `=`. `NEW` alone renames the only item.
 */
export function readRenames(
  given: readonly string[],
  items: readonly Item[],
): Result<readonly Rename[], AppError> {
  // A text has no file.
  const names = items.filter(({ kind }) => kind !== 'text').map(({ name }) => name)
  const isWhole = items.length < limits.entriesShown
  let renames: readonly Rename[] = []
  for (const text of given) {
    const rename = renameIn(text, names, isWhole)
    if (!rename.ok) return rename
    const { item } = rename.value
    if (renames.some((other) => other.item === item)) {
      return bad(words.argument.rename.twice(shown(item)))
    }
    renames = withRename(renames, rename.value)
  }
  for (const { item, name } of renames) {
    const others = names.filter((other) => other !== item).map((other) => nameOf(other, renames))
    const problem = nameProblem(name, others)
    if (problem !== null) return bad(words.argument.rename[problem](shown(name)))
  }
  return ok(renames)
}

/** `isWhole`: the offer has no further items. */
function renameIn(
  text: string,
  names: readonly string[],
  isWhole: boolean,
): Result<Rename, AppError> {
  const readings = readingsOf(text)
  const found = readings.find(({ item }) => names.includes(item))
  if (found !== undefined) return ok(found)
  if (names.length === 0 && isWhole) return bad(words.argument.rename.onlyTexts)
  const shortest = readings.at(-1)
  if (shortest !== undefined) {
    return isWhole ? bad(words.argument.rename.noItem(shown(shortest.item))) : ok(shortest)
  }
  const [only] = names
  return only !== undefined && names.length === 1
    ? ok({ item: only, name: text })
    : bad(words.argument.rename.several(names.length))
}
