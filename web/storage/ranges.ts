/** The kept parts of one file: ranges of its bytes, each with the place of its content. */

/** Bytes of a file from `offset` on; `at` is their position in Blob number `blob`, and `null` for zeros. */
export type Part = {
  readonly offset: number
  readonly length: number
  readonly at: number | null
  readonly blob: number
}

const endOf = ({ offset, length }: Part): number => offset + length

/** The part of `part` between two offsets. */
const within = (part: Part, begin: number, end: number): Part => ({
  offset: begin,
  length: end - begin,
  at: part.at === null ? null : part.at + begin - part.offset,
  blob: part.blob,
})

/** The parts, in order, without a range of bytes. */
export function without(parts: readonly Part[], offset: number, length: number): Part[] {
  const end = offset + length
  return parts.flatMap((part) => {
    if (endOf(part) <= offset || part.offset >= end) return [part]
    return [
      ...(part.offset < offset ? [within(part, part.offset, offset)] : []),
      ...(endOf(part) > end ? [within(part, end, endOf(part))] : []),
    ]
  })
}

/** True if `next` continues `last` in the file and in its place. */
const continues = (last: Part, next: Part): boolean =>
  endOf(last) === next.offset &&
  (last.at === null
    ? next.at === null
    : last.blob === next.blob && last.at + last.length === next.at)

/** The parts, in order, with `part` in place of their own bytes in its range. */
export function withPart(parts: readonly Part[], part: Part): Part[] {
  const last = parts.at(-1)
  // The usual case: parts arrive in order.
  if (last === undefined || endOf(last) <= part.offset) {
    if (last === undefined || !continues(last, part)) return [...parts, part]
    return [...parts.slice(0, -1), { ...last, length: last.length + part.length }]
  }
  const others = without(parts, part.offset, part.length)
  const place = others.findIndex(({ offset }) => offset > part.offset)
  return place < 0 ? [...others, part] : [...others.slice(0, place), part, ...others.slice(place)]
}

/** The ranges below `end` that the parts lack. */
export function gaps(
  parts: readonly Part[],
  end: number,
): readonly { readonly offset: number; readonly length: number }[] {
  const missing: { offset: number; length: number }[] = []
  let at = 0
  for (const part of parts) {
    if (part.offset > at) missing.push({ offset: at, length: Math.min(part.offset, end) - at })
    at = Math.max(at, endOf(part))
    if (at >= end) return missing
  }
  if (at < end) missing.push({ offset: at, length: end - at })
  return missing
}
