/**
 * Catalogues of texts: plain objects whose type is that of the English one. A text is a string, or a function of its
 * parameters, so that the compiler finds missing texts and wrong parameters.
 */

import { language, languages } from '#shared/language'

/** The type of a complete catalogue in another language, derived from the English one. */
export type CatalogueOf<English> = English extends string
  ? string
  : English extends (...parameters: infer Parameters) => infer Said
    ? (...parameters: Parameters) => CatalogueOf<Said>
    : { readonly [Key in keyof English]: CatalogueOf<English[Key]> }

/** A catalogue that may lack texts, which are then English. */
export type Translation<Catalogue> = Catalogue extends string | ((...parameters: never) => unknown)
  ? Catalogue
  : { readonly [Key in keyof Catalogue]?: Translation<Catalogue[Key]> }

type Branch = { readonly [key: string]: unknown }

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null

/** Fills the gaps of a translation with English texts. */
export function withEnglish<Catalogue extends object>(
  english: Catalogue,
  translation: Translation<NoInfer<Catalogue>>,
): Catalogue {
  const isTurned = languages[language].direction === 'rtl'
  const shown = isTurned ? withEachText(english, leftToRight) : english
  return merged(shown as Branch, translation as Branch) as Catalogue
}

/** English in a right-to-left page, with its full stop in the right place. */
const leftToRight = (text: string): string => `\u2066${text}\u2069`

/** Applies `change` to each text of the catalogue, including results of its functions. */
export const withEachText = <Catalogue>(
  catalogue: Catalogue,
  change: (text: string) => string,
): Catalogue => changed(catalogue, change) as Catalogue

function changed(said: unknown, change: (text: string) => string): unknown {
  if (typeof said === 'string') return change(said)
  if (typeof said === 'function') {
    const say = said as (...parameters: unknown[]) => unknown
    return (...parameters: unknown[]) => changed(say(...parameters), change)
  }
  if (!isBranch(said)) return said
  return Object.fromEntries(Object.entries(said).map(([key, text]) => [key, changed(text, change)]))
}

function merged(english: Branch, translation: Branch): Branch {
  const entries = Object.entries(english).map(([key, text]) => {
    const translated = translation[key]
    if (translated === undefined) return [key, text]
    return [key, isBranch(text) && isBranch(translated) ? merged(text, translated) : translated]
  })
  return Object.fromEntries(entries) as Branch
}

/** The paths of the texts that a translation lacks: `['share.stop']`. */
export function missingTexts(english: object, translation: object, above = ''): readonly string[] {
  return Object.entries(english).flatMap(([key, text]) => {
    const path = `${above}${key}`
    const translated = (translation as Branch)[key]
    if (!isBranch(text)) return translated === undefined ? [path] : []
    return missingTexts(text, isBranch(translated) ? translated : {}, `${path}.`)
  })
}
