/** Definitions of settings: decoder, default, and the form that people write. */
import * as z from 'zod'
import { isBareRate, parseRate } from '#shared/format/parse-rate'
import { parseSize } from '#shared/format/parse-size'

/** One setting. */
export type Field<T> = {
  readonly schema: z.ZodType<T>
  readonly fallback: T
  /** A path: the window shows it, and only the system's dialogs set it. */
  readonly isPath?: true
  /** Replaces an invalid value if the default would reveal more to others. */
  readonly cautious?: T
  /** The expected value, to follow "must be": `yes or no`, `a number from 1 to 1000`. */
  readonly expects: string
  /** The same for typed values, if these are written differently. */
  readonly expectsTyped?: string
  /** Its effect, in one or two sentences. */
  readonly about: string
  /** The value of a typed text; `undefined` if it is invalid. */
  readonly parse: (text: string) => unknown
}

/** Yes or no. */
export const flag = (fallback: boolean, about: string): Field<boolean> => ({
  schema: z.boolean(),
  fallback,
  expects: '`true` or `false`',
  about,
  parse: (text) => flagWords[text.trim().toLowerCase()],
})

const flagWords: Readonly<Record<string, boolean | undefined>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
}

/** A whole number within bounds. */
export const count = (
  { from, to }: { readonly from: number; readonly to: number },
  fallback: number,
  about: string,
): Field<number> => ({
  schema: z.int().min(from).max(to),
  fallback,
  expects: `a whole number from ${from} to ${to}`,
  about,
  parse: (text) => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined),
})

/** Far more than any network carries, and still counted exactly. */
const maxBytesPerSecond = 1e12

/** Bytes a second; 0: no limit. */
export const rate = (about: string): Field<number> => ({
  schema: z.int().min(0).max(maxBytesPerSecond),
  fallback: 0,
  expects: 'bytes a second as a whole number, 0 for no limit',
  expectsTyped: 'a speed with a unit, such as `20MB/s`, or 0 for no limit',
  about,
  parse: (text) => {
    if (isBareRate(text)) return undefined
    const parsed = parseRate(text)
    return parsed.ok ? parsed.value : undefined
  },
})

/** Bytes within bounds; 0: the program chooses. */
export const size = (
  { from, to }: { readonly from: number; readonly to: number },
  about: string,
): Field<number> => ({
  schema: z.int().refine((bytes) => bytes === 0 || (bytes >= from && bytes <= to)),
  fallback: 0,
  expects: `bytes as a whole number from ${from} to ${to}, 0 for automatic`,
  about,
  parse: (text) => {
    if (text.trim().toLowerCase() === 'automatic') return 0
    const parsed = parseSize(text)
    return parsed.ok ? parsed.value : undefined
  },
})

/** One of a few words. */
export const choice = <const T extends string>(
  words: readonly [T, ...T[]],
  fallback: T,
  about: string,
): Field<T> => ({
  schema: z.enum(words),
  fallback,
  expects: `one of ${words.map((word) => `\`${word}\``).join(', ')}`,
  about,
  parse: (text) => text.trim(),
})

/** A line of text; `where` restricts it and describes the restriction in `expects`. */
export const line = (
  maxBytes: number,
  about: string,
  where: { readonly expects: string; readonly fits: (text: string) => boolean } = {
    expects: `text of at most ${maxBytes} bytes`,
    fits: () => true,
  },
): Field<string> => ({
  schema: z
    .string()
    .refine((text) => utf8Length(text) <= maxBytes && isOneLine(text) && where.fits(text)),
  fallback: '',
  expects: where.expects,
  about,
  parse: (text) => text.trim(),
})

/** The absolute path of a folder, or empty. */
export const folder = (maxBytes: number, about: string): Field<string> => ({
  ...line(maxBytes, about, { expects: 'the absolute path of a folder', fits: isFolder }),
  isPath: true,
})

/** A Unix path, a Windows drive, or a network computer; empty for the default folder. */
const isFolder = (text: string): boolean => text === '' || /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(text)

/** A list; people type its elements with commas between them. */
export const list = <T>(
  element: z.ZodType<T>,
  most: number,
  expects: string,
  about: string,
): Field<readonly T[]> => ({
  schema: z.array(element).max(most).readonly(),
  fallback: [],
  expects,
  about,
  parse: (text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
})

/** No control characters, which would end a line or hide text. */
// oxlint-disable-next-line no-control-regex -- these are the characters to reject
export const isOneLine = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text)

/** The number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}
