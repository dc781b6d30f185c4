/** The languages of Thruflux, and the current one. Their texts are in folders named by these tags. */

/** `en-XA` is a pseudo-language: English with accents, longer and in brackets, to find untranslated texts. */
export const languageTags = [
  'en',
  'ko',
  'de',
  'es',
  'fr',
  'it',
  'pt-BR',
  'ar',
  'ja',
  'zh-Hans',
  'en-XA',
] as const

/** A BCP 47 tag. */
export type Language = (typeof languageTags)[number]

export type LanguageFacts = {
  /** The language's own name. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  /** A preview has the main screens, and English for the rest. */
  readonly state: 'complete' | 'preview' | 'development'
  /** The locale for `Intl`. Digits are always those of codes, so that figures can be compared. */
  readonly locale: string
}

export const languages: { readonly [language in Language]: LanguageFacts } = {
  en: { name: 'English', direction: 'ltr', state: 'complete', locale: 'en' },
  ko: { name: '한국어', direction: 'ltr', state: 'complete', locale: 'ko' },
  de: { name: 'Deutsch', direction: 'ltr', state: 'preview', locale: 'de' },
  es: { name: 'Español', direction: 'ltr', state: 'preview', locale: 'es' },
  fr: { name: 'Français', direction: 'ltr', state: 'preview', locale: 'fr' },
  it: { name: 'Italiano', direction: 'ltr', state: 'preview', locale: 'it' },
  'pt-BR': { name: 'Português (Brasil)', direction: 'ltr', state: 'preview', locale: 'pt-BR' },
  ar: { name: 'العربية', direction: 'rtl', state: 'preview', locale: 'ar-u-nu-latn' },
  ja: { name: '日本語', direction: 'ltr', state: 'preview', locale: 'ja' },
  'zh-Hans': { name: '简体中文', direction: 'ltr', state: 'preview', locale: 'zh-Hans' },
  'en-XA': { name: 'Ƥšéûðö', direction: 'ltr', state: 'development', locale: 'en' },
}

export const isLanguage = (tag: string): tag is Language =>
  (languageTags as readonly string[]).includes(tag)

/** The best language for preferences `wished`, best first. Previews have to be chosen explicitly. */
export function chooseLanguage(wished: readonly string[]): Language {
  for (const tag of wished) {
    const language = baseLanguage(tag)
    const found = languageTags.find(
      (known) => languages[known].state === 'complete' && known === language,
    )
    if (found !== undefined) return found
  }
  return 'en'
}

/** `ko` for `ko-KR`; empty for an invalid tag. */
function baseLanguage(tag: string): string {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return ''
  }
}

/** The current language, fixed once the first text has been shown. The command uses English. */
export let language: Language = 'en'

/** Called only by `speak` of `text/current.ts`, which also changes the texts. */
export function setLanguage(chosen: Language): void {
  language = chosen
}
