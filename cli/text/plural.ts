/** Plural forms of a sentence, chosen by the language's own rules. */

/** English has these two; a translation brings the forms of its language. */
export type PluralForms = { readonly one: string; readonly other: string }

const rules = new Intl.PluralRules('en')

/** The form of a whole sentence for `count`, which each form has filled in already. */
export const plural = (count: number, { one, other }: PluralForms): string =>
  rules.select(count) === 'one' ? one : other
