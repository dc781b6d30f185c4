/** Plural forms by the rules of the language that the texts are written in. */

/** The language of every text for people. */
const language = 'en'

/** A complete text for each plural category of the language; English has `one` and `other`. */
export type PluralForms = {
  readonly [category in Intl.LDMLPluralRule]?: string
} & { readonly other: string }

const rules = new Intl.PluralRules(language)

/** The form that goes with `count`. */
export const plural = (count: number, forms: PluralForms): string =>
  forms[rules.select(count)] ?? forms.other
