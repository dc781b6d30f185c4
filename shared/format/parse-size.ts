/** Sizes as people write them: `200MiB`, `1.5GB`, `500k`, `4096`. */
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

const grammar = /^(\d{1,16}(?:\.\d{1,9})?) ?(?:([kmgt])(i)?)?b?$/i

const exponents: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 }

/**
 * Whole bytes, rounded. `k`, `M`, `G` and `T` are powers of 1000, or of 1024 with an `i`, in either case.
 * `E_BAD_ARGUMENT` for anything else, and for numbers too large to count exactly.
 */
export function parseSize(text: string): Result<number, AppError> {
  const match = grammar.exec(text.trim())
  if (match === null) return err(notASize(text))
  const [, figures = '', prefix = '', binary] = match
  const base = binary === undefined ? 1000 : 1024
  const bytes = Math.round(Number(figures) * base ** (exponents[prefix.toLowerCase()] ?? 0))
  return Number.isSafeInteger(bytes) ? ok(bytes) : err(notASize(text))
}

const notASize = (text: string): AppError =>
  appError('E_BAD_ARGUMENT', 'sizes are written like 200MiB, 1.5GB or 500k', text.slice(0, 100))
