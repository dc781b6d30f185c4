/**
 * Catalogues of texts: plain objects whose type is that of the English one. A sentence is a string, or
 * a function of what varies in it, so that the compiler finds a missing one and a wrong parameter.
 */

/** What a catalogue of another language has to have, by the English one. */
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

/** The translation, with an English text in the place of each that it lacks. */
export const withEnglish = <Catalogue extends object>(
  english: Catalogue,
  translation: Translation<NoInfer<Catalogue>>,
): Catalogue => merged(english as Branch, translation as Branch) as Catalogue

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
