/** What accepting would mean, in lines for people. */
import { appError, type AppError } from '#shared/errors'
import { formatBytes, formatCount, formatCounted } from '#shared/format'
import type { Survey, TargetCaution } from '#shared/offer'
import type { MappedName } from '#shared/app-state'

/** More would scroll the question away. */
const namesShown = 5

const cautionLines: Readonly<Record<TargetCaution, string>> = {
  home: 'Careful: this is your home folder, or above it. A folder of its own is safer.',
  'start-up': 'Careful: what is in this folder is run when you log in.',
  settings: 'Careful: programs read their settings in this folder.',
  'hidden-names': 'Careful: names that begin with a dot are hidden, and some programs obey them.',
}

/** One line for each thing worth knowing; none for a folder in which nothing is met. */
export function surveyLines(survey: Survey): readonly string[] {
  const { conflicts, resumedBytes, neededBytes, freeBytes, tooLarge } = survey
  return [
    ...survey.cautions.map((caution) => cautionLines[caution]),
    ...(conflicts.identical === 0
      ? []
      : [
          `${formatCounted(conflicts.identical, 'file')} here look the same already (${formatBytes(conflicts.identicalBytes)}), not sent again`,
        ]),
    ...(conflicts.different === 0
      ? []
      : listed(
          `${formatCounted(conflicts.different, 'file')} with the name of a different one`,
          survey.conflictPaths.map(({ path }) => path),
        )),
    ...(resumedBytes === 0 ? [] : [`${formatBytes(resumedBytes)} of an earlier attempt are there`]),
    `Needs ${formatBytes(neededBytes)}, free are ${formatBytes(freeBytes)}`,
    ...mappedLines(survey.mappedCount, survey.mappedNames),
    ...(tooLarge.length === 0
      ? []
      : listed(
          `${formatCounted(tooLarge.length, 'file')} too large for this file system`,
          tooLarge,
        )),
  ]
}

/** What the first of `count` names become; none for none. */
export const mappedLines = (count: number, names: readonly MappedName[]): readonly string[] =>
  count === 0
    ? []
    : listed(
        `${formatCounted(count, 'name')} that can't be written here`,
        names.map(({ path, writtenAs }) => `${path} as ${writtenAs}`),
        count,
      )

/** Why the offer can't be accepted there, if it can't. */
export function surveyFault({ directory, error, neededBytes, freeBytes }: Survey): AppError | null {
  if (error !== null) return error
  if (neededBytes <= freeBytes) return null
  const detail = `needs ${formatBytes(neededBytes)}, free are ${formatBytes(freeBytes)}`
  return appError('E_DISK_FULL', detail, directory)
}

/** `count`: with those that are not among `names`. */
function listed(
  what: string,
  names: readonly string[],
  count: number = names.length,
): readonly string[] {
  const shown = names.slice(0, namesShown).map((name) => `  ${name}`)
  const rest = count - shown.length
  return [`${what}:`, ...shown, ...(rest > 0 ? [`  and ${formatCount(rest)} more`] : [])]
}
