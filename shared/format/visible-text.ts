/**
 * Makes names safe to show. A name from another person can contain terminal controls, characters that reorder or hide
 * adjacent text, and bytes that are not text.
 */

/**
 * First and last code point of each range; the same as `is_visible` in native/src/base/utf8.h, which gives the reasons.
 */
const invisible: readonly (readonly [number, number])[] = [
  [0x0000, 0x001f],
  [0x007f, 0x009f],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe00ff],
  [0xe01f0, 0xe0fff],
]

/** Matches most texts, which need no further check. */
const plain = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f]*$/

const isJoiner = (codePoint: number): boolean => codePoint === 0x200c || codePoint === 0x200d

const isVariationSelector = (codePoint: number): boolean =>
  (codePoint >= 0x180b && codePoint <= 0x180f && codePoint !== 0x180e) ||
  (codePoint >= 0xfe00 && codePoint <= 0xfe0f) ||
  (codePoint >= 0xe0100 && codePoint <= 0xe01ef)

/** `before` is the preceding code point. */
function isVisible(codePoint: number, before: number): boolean {
  if (isJoiner(codePoint)) return before >= 0x80 && !isJoiner(before)
  if (isVariationSelector(codePoint)) {
    const isKeycap = (before >= 0x30 && before <= 0x39) || before === 0x23 || before === 0x2a
    return (before >= 0x80 || isKeycap) && !isJoiner(before) && !isVariationSelector(before)
  }
  return !invisible.some(([first, last]) => codePoint >= first && codePoint <= last)
}

/** Replaces each invisible character of `text` by `write`. */
export function withoutInvisible(text: string, write: (character: string) => string): string {
  if (plain.test(text)) return text
  let shown = ''
  let before = 0
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    const isShown = isVisible(codePoint, before)
    shown += isShown ? character : write(character)
    before = isShown ? codePoint : 0
  }
  return shown
}

/** The engine's lone surrogates for bytes that aren't valid UTF-8: U+DC00 + byte. */
const firstByte = 0xdc80
const lastByte = 0xdcff

function escaped(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0
  return codePoint >= firstByte && codePoint <= lastByte
    ? `\\x${(codePoint - 0xdc00).toString(16)}`
    : `\\u{${codePoint.toString(16)}}`
}

/** Escapes invisible characters as `\u{202e}`, and bytes that are not text as `\xff`. Idempotent. */
export const visibleText = (text: string): string => withoutInvisible(text, escaped)

/** The same for a text that may have several lines and tabs, which stay. */
export const visibleLines = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    // Every second part is a separator.
    .map((part, index) => (index % 2 === 0 ? visibleText(part) : part))
    .join('')
