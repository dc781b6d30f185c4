/** What a paste beside every field means. */
import { meansCode } from '#shared/code/code-entry'

export type Pasted<F> =
  | { readonly kind: 'files'; readonly files: readonly F[] }
  | { readonly kind: 'image'; readonly image: F }
  | { readonly kind: 'code'; readonly words: string }
  | { readonly kind: 'text'; readonly words: string }

/**
 * Files of this computer come first: file managers put their names beside them as a text. Programs
 * put a picture of copied text beside it, so an image counts only alone. `null`: nothing of use.
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
