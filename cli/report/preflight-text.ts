/** An offer, and what accepting it would mean, in lines for people. */
import { type AppError, appError } from '#shared/errors'
import type { Preflight } from '#shared/offer'
import type { ConflictPolicy } from '#shared/settings/receive-options'
import {
  hasOnlyTexts,
  type Item,
  type MappedName,
  type Receive,
  type Totals,
} from '#shared/state/app-state'
import { text } from '../text'
import { leftOutLines, totalsText } from './event-text'
import { itemsNaturally, naturally } from './natural-order'
import { hasStream } from './offer-kind'

/** More would scroll the question away. */
const namesShown = 5
const itemsShown = 20

/** What `sender` offers, and how much of it is wanted. */
export function offerLines(
  offer: Receive,
  preflight: Preflight,
  sender: string,
): readonly string[] {
  const rest = offer.items.length - itemsShown
  return [
    text.receive.offers(sender),
    ...[...offer.items].sort(itemsNaturally).slice(0, itemsShown).map(itemLine),
    ...(rest > 0 ? [text.receive.moreItems(rest)] : []),
    ...leftOutLines(offer.leftOut, sender),
    ...(offer.totals === null || hasOnlyTexts(offer.items) || hasStream(offer)
      ? []
      : [wantedLine(preflight, offer.totals, offer.items)]),
  ]
}

/** `400 of 500 files · 220 MB`, or all that is offered. */
const wantedLine = (
  { wantedFiles, wantedBytes }: Preflight,
  totals: Totals,
  items: readonly Item[],
): string =>
  wantedFiles === totals.files
    ? totalsText(totals, items)
    : text.transfer.someOf(wantedFiles, totals.files, wantedBytes)

function itemLine({ name, kind, files, bytes }: Item): string {
  const { item } = text.receive
  switch (kind) {
    case 'folder':
      return item.folder(name, files, bytes)
    case 'text':
      return item.text(name, bytes)
    case 'stream':
      return item.stream(name)
    case 'link':
      return item.link(name)
    default:
      return item.file(name, bytes)
  }
}

/**
 * One line for each thing worth knowing; none for a folder that can't be used. `policy` decides about
 * files that exist; `null` when a person is asked about that. `compared`: by their content.
 */
export function preflightLines(
  preflight: Preflight,
  policy: ConflictPolicy | null,
  compared: boolean,
): readonly string[] {
  if (preflight.error !== null) return []
  const { conflicts, resumedBytes, neededBytes, freeBytes, tooLarge } = preflight
  const words = text.receive.preflight
  return [
    ...preflight.cautions.map((caution) => words.caution[caution]),
    ...(conflicts.identical === 0
      ? []
      : [words.identical(conflicts.identical, conflicts.identicalBytes)]),
    ...(conflicts.different === 0
      ? []
      : [
          ...listed(
            words.different(conflicts.different, compared),
            inOrder(preflight.conflictPaths.map(({ path }) => path)),
            conflicts.different,
          ),
          ...(policy === null ? [] : [words.policy[policy]]),
        ]),
    ...(resumedBytes === 0 ? [] : [words.resumed(resumedBytes)]),
    ...(neededBytes === 0 ? [] : [words.room(neededBytes, freeBytes)]),
    ...mappedLines(preflight.mappedCount, preflight.mappedNames),
    ...(tooLarge.length === 0 ? [] : listed(words.tooLarge(tooLarge.length), inOrder(tooLarge))),
  ]
}

/** What the first of `count` names become; none for none. */
export const mappedLines = (count: number, names: readonly MappedName[]): readonly string[] =>
  count === 0
    ? []
    : listed(
        text.receive.preflight.mapped(count),
        [...names]
          .sort((one, other) => naturally(one.path, other.path))
          .map(({ path, writtenAs }) => text.receive.preflight.mappedName(path, writtenAs)),
        count,
      )

/** Why the offer can't be accepted there, if it can't. */
export function preflightError({
  directory,
  error,
  neededBytes,
  freeBytes,
}: Preflight): AppError | null {
  if (error !== null) return error.subject === undefined ? { ...error, subject: directory } : error
  if (neededBytes <= freeBytes) return null
  return appError('E_DISK_FULL', text.receive.preflight.room(neededBytes, freeBytes), directory)
}

const inOrder = (paths: readonly string[]): readonly string[] =>
  [...paths].sort(naturally).map(text.transfer.listed)

/** `count`: with those that are not among `lines`. */
function listed(
  heading: string,
  lines: readonly string[],
  count: number = lines.length,
): readonly string[] {
  const shown = lines.slice(0, namesShown)
  const rest = count - shown.length
  return [heading, ...shown, ...(rest > 0 ? [text.transfer.more(rest)] : [])]
}
