/** Speeds as people write them: `20MB/s`, `20Mbit/s`, `20Mbps`, `500k`, `200MiB`. */
import type { AppError } from '#shared/errors'
import { parseSize } from '#shared/format/parse-size'
import { ok, type Result } from '#shared/result'

const perSecond = /(?:\/s|ps)$/i
const bits = /bits?$/i

/** Nobody means so few bytes a second: a unit was forgotten. */
const minBare = 1000

/** True for a number without a unit that is too small to be meant; 0 means something else. */
export const isBareRate = (text: string): boolean =>
  /^\s*\d+\s*$/.test(text) && Number(text) > 0 && Number(text) < minBare

/**
 * Whole bytes a second, rounded: bits where it says `bit` or `bps`, else bytes with the units of
 * `parseSize`. Error: `E_BAD_ARGUMENT` as there.
 */
export function parseRate(text: string): Result<number, AppError> {
  const written = text.trim()
  const amount = written.replace(perSecond, '')
  const isBits = bits.test(amount) || /bps$/.test(written)
  const size = parseSize(amount.replace(bits, ''))
  return size.ok && isBits ? ok(Math.round(size.value / 8)) : size
}
