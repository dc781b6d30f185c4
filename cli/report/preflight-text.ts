/** An offer, and the effects of accepting it, in lines for people. */
import { type AppError, appError } from '#shared/errors'
import type { FollowedLinks } from '#shared/followed-links'
import { visibleText } from '#shared/format/visible-text'
import type { Preflight } from '#shared/offer'
import type { ConflictPolicy } from '#shared/settings/receive-options'
import {
  hasOnlyTexts,
  type Item,
  type MappedName,
  type Receive,
  type Share,
  type Totals,
} from '#shared/state/app-state'
import { text } from '../text'
import { leftOutLines, totalsText } from './event-text'
import { itemsNaturally, naturally } from './natural-order'
import { hasStream } from './offer-kind'

/** Longer lists would scroll the question out of view. */
const namesShown = 5
const itemsShown = 20

/** The offer of `sender`, and the selected part of it. */
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

/** A share's items, and the number of those that patterns leave out. */
export const shareLines = ({ items, totals: { excluded = 0 } }: Share): readonly string[] => [
  text.share.offers,
  ...[...items].sort(itemsNaturally).map(itemLine),
  ...(excluded > 0 ? [text.share.excluded(excluded)] : []),
]

/** `400 of 500 files · 220 MB`, or the whole offer. */
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
 * One line per fact; no lines for a folder that can't be used. `policy` applies to existing files, and
 * is `null` if a person decides. `compared` is true if their content was compared.
 */
export function preflightLines(
  preflight: Preflight,
  policy: ConflictPolicy | null,
  compared: boolean,
): readonly string[] {
  if (preflight.error !== null) return []
  const { conflicts, updatedFiles, updatedBytes, tooLarge } = preflight
  const { resumedBytes, neededBytes, freeBytes } = preflight
  const words = text.receive.preflight
  return [
    ...preflight.cautions.map((caution) => words.caution[caution]),
    ...(conflicts.identical === 0
      ? []
      : [
          (compared ? words.comparable : words.identical)(
            conflicts.identical,
            conflicts.identicalBytes,
          ),
        ]),
    ...(conflicts.different === 0
      ? []
      : [
          ...listed(
            words.different(conflicts.different, compared),
            inOrder(preflight.conflictPaths.map(({ path }) => path)),
            conflicts.different,
          ),
          ...(policy === null ? [] : [words.policy[policy]]),
          ...(policy === null || updatedFiles === 0
            ? []
            : [words.updated(updatedFiles, updatedBytes)]),
        ]),
    ...(resumedBytes === 0 ? [] : [words.resumed(resumedBytes)]),
    ...(neededBytes === 0 ? [] : [words.room(neededBytes, freeBytes)]),
    ...mappedLines(preflight.mappedCount, preflight.mappedNames),
    ...(tooLarge.length === 0 ? [] : listed(words.tooLarge(tooLarge.length), inOrder(tooLarge))),
  ]
}

/** The first of `count` changed names; no lines for 0. */
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

/** The reason why the folder can't take the offer, if there is one. */
export function preflightError({
  directory,
  error,
  neededBytes,
  freeBytes,
}: Preflight): AppError | null {
  if (error !== null) {
    const isOfName = error.code === 'E_NAME_NOT_ALLOWED'
    return error.subject === undefined && !isOfName ? { ...error, subject: directory } : error
  }
  if (neededBytes <= freeBytes) return null
  return appError('E_DISK_FULL', text.receive.preflight.room(neededBytes, freeBytes), directory)
}

/** Links that lead out of a share; with `all`, every known one. */
export function followedLines({ count, links }: FollowedLinks, all: boolean): readonly string[] {
  const shown = all ? links : links.slice(0, itemsShown)
  const lines = shown.map(({ path, target }) =>
    text.share.followedTo(visibleText(path), visibleText(target)),
  )
  return listed(text.share.followed(count), lines, count, lines.length)
}

const inOrder = (paths: readonly string[]): readonly string[] =>
  [...paths].sort(naturally).map(text.transfer.listed)

/** `count` includes entries that are not in `lines`. */
function listed(
  heading: string,
  lines: readonly string[],
  count: number = lines.length,
  most: number = namesShown,
): readonly string[] {
  const shown = lines.slice(0, most)
  const rest = count - shown.length
  return [heading, ...shown, ...(rest > 0 ? [text.transfer.more(rest)] : [])]
}
