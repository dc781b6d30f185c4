/** Speeds as people write them: `20MB/s`, `20Mbit/s`, `20Mbps`, `500k`, `200MiB`. */
import type { AppError } from '#shared/errors'
import { parseSize } from '#shared/format/parse-size'
import { ok, type Result } from '#shared/result'

const perSecond = /(?:\/s|ps)$/i
const bits = /bits?$/i

/** Bytes a second. A lower number without a unit is a mistake: its unit was forgotten. */
const minBare = 1000

/** True for a number without a unit that is too small to be intended; 0 has its own meaning. */
export const isBareRate = (text: string): boolean =>
  /^\s*\d+\s*$/.test(text) && Number(text) > 0 && Number(text) < minBare

/**
 * Whole bytes a second, rounded: bits if the unit is `bit` or `bps`, else bytes with the units of `parseSize`. Fails
 * with its `E_BAD_ARGUMENT`.
 */
export function parseRate(text: string): Result<number, AppError> {
  const written = text.trim()
  const amount = written.replace(perSecond, '')
  const isBits = bits.test(amount) || /bps$/.test(written)
  const size = parseSize(amount.replace(bits, ''))
  return size.ok && isBits ? ok(Math.round(size.value / 8)) : size
}
