/** Interprets a paste outside of fields. */
import { meansCode } from '#shared/code/code-entry'

export type Pasted<F> =
  | { readonly kind: 'files'; readonly files: readonly F[] }
  | { readonly kind: 'image'; readonly image: F }
  | { readonly kind: 'code'; readonly words: string }
  | { readonly kind: 'text'; readonly words: string }

/**
 * Files take precedence: file managers add their names as text. Programs add a picture to copied text, so an image
 * counts only alone. `null`: nothing usable.
 */
export function readPaste<F extends { readonly type: string }>(
  files: readonly F[],
  words: string,
  hasPath: (file: F) => boolean,
): Pasted<F> | null {
  const real = files.filter(hasPath)
  if (real.length > 0) return { kind: 'files', files: real }
  const trimmed = words.trim()
  if (trimmed !== '')
    return meansCode(trimmed) ? { kind: 'code', words: trimmed } : { kind: 'text', words }
  const image = files.find(({ type }) => type === 'image/png')
  return image === undefined ? null : { kind: 'image', image }
}
