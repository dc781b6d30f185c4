/** Plural forms. Each language's texts count by the rules of that language, also where they stand in for another's. */

/** A complete text for each plural category of the language; English has `one` and `other`. */
export type PluralForms = {
  readonly [category in Intl.LDMLPluralRule]?: string
} & { readonly other: string }

/** Chooses the form that goes with a count in the language `tag`. */
export function pluralOf(tag: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(tag)
  return (count, forms) => forms[rules.select(count)] ?? forms.other
}

/** The English form that goes with a count. */
export const plural = pluralOf('en')
