/** Plural forms. Each text uses its own language's rules, even among texts of another language. */

/** A complete text for each plural category of the language; English has `one` and `other`. */
export type PluralForms = {
  readonly [category in Intl.LDMLPluralRule]?: string
} & { readonly other: string }

/** Chooses the form for a count in the language `tag`. */
export function pluralOf(tag: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(tag)
  return (count, forms) => forms[rules.select(count)] ?? forms.other
}

/** The English form for a count. */
export const plural = pluralOf('en')
