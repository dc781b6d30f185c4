/** The languages of Thruflux, and the one in use. Their texts are in folders named by these tags. */

/** `en-XA` is no language: English with accents, longer and in brackets, to find what isn't translated. */
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

/** A tag by BCP 47. */
export type Language = (typeof languageTags)[number]

export type LanguageFacts = {
  /** What the people who speak it call it. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  /** A preview has the main screens, and English for the rest. */
  readonly state: 'complete' | 'preview' | 'development'
  /** What `Intl` formats by. Digits are those of codes everywhere, so that figures can be compared. */
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

/**
 * The language for someone who prefers `wished`, best first. Only complete ones are found: a preview
 * is for those who choose it.
 */
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

/** `ko` of `ko-KR`; empty for what is no tag. */
function baseLanguage(tag: string): string {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return ''
  }
}

/** The language in use: fixed once the first text has been shown. The command speaks English. */
export let language: Language = 'en'

/** Only `speak` of `text/current.ts` calls this, which changes the texts as well. */
export function setLanguage(chosen: Language): void {
  language = chosen
}
