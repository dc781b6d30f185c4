/** The answer to an offer: what is wanted of it, and what is here from an earlier attempt. */
import type { Choices, Claim, EntryRange, OfferedEntry } from './engine/module'
import type { KeptFiles } from './storage/kept-files'
import { gaps } from './storage/ranges'

/** The last bytes of a claim, whose hash the sender compares: one segment. */
const hashedBytes = 8 * 1024 * 1024
/** Gaps in a claim; the engine's parts of a file arrive almost in order. */
const maxGaps = 1000

/** The key of a file for a sender that proved its origin: another version has another size or time. */
export const keyOf = ({ path, bytes, modifiedMs }: OfferedEntry): string =>
  `${bytes} ${modifiedMs} ${path}`

/** The first component of a path. */
export const topOf = (path: string): string => path.split('/', 1)[0] ?? path

/** The answer to an offer. Parts that can't be claimed are lost. */
export function choicesFor(
  entries: readonly OfferedEntry[],
  unwanted: readonly string[],
  files: KeptFiles,
): Choices {
  const names = new Set(unwanted)
  const answer = { unwanted: [] as number[], complete: [] as number[], claims: [] as Claim[] }
  for (const entry of entries) {
    if (entry.kind === 'gone') continue
    if (names.has(topOf(entry.path))) answer.unwanted.push(entry.index)
    else if (entry.kind === 'file' && entry.bytes > 0) {
      const key = keyOf(entry)
      if (files.has(key, entry.bytes)) answer.complete.push(entry.index)
      else if (files.parts(key).length > 0) {
        const claim = claimFor(entry, key, files)
        if (claim === null) files.lose(key, 0, entry.bytes)
        else answer.claims.push(claim)
      }
    }
  }
  return {
    unwanted: rangesOf(answer.unwanted),
    complete: rangesOf(answer.complete),
    claims: answer.claims,
  }
}

function claimFor({ index }: OfferedEntry, key: string, files: KeptFiles): Claim | null {
  const validator = files.validator(key)
  const last = files.parts(key).at(-1)
  if (validator === null || last === undefined) return null
  const offset = last.offset + last.length
  const missing = gaps(files.parts(key), offset)
  if (missing.length > maxGaps) return null
  const hashBegin = Math.max(last.offset, offset - hashedBytes)
  const hashed = files.read(key, hashBegin, offset)
  return { index, offset, missing, validator, hashBegin, hashed }
}

function rangesOf(indexes: readonly number[]): readonly EntryRange[] {
  const ranges: { first: number; count: number }[] = []
  for (const index of [...indexes].sort((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last !== undefined && last.first + last.count === index) last.count += 1
    else ranges.push({ first: index, count: 1 })
  }
  return ranges
}
