/** Loads the shared texts of one language; English is always there. */
import type { Language } from '#shared/language'
import type { Translation } from '#shared/text/catalogue'
import { type SharedText, speak } from '#shared/text/current'

type Load = () => Promise<Translation<SharedText>>

const english: Load = () => Promise.resolve({})

const translations: { readonly [language in Language]: Load } = {
  en: english,
  ko: async () => (await import('#shared/text/ko/korean')).korean,
  de: english,
  es: english,
  fr: english,
  it: english,
  'pt-BR': english,
  ar: english,
  ja: english,
  'zh-Hans': english,
  'en-XA': english,
}

/** Speaks `language` in everything that is shared, once this is done. */
export async function loadSharedText(language: Language): Promise<void> {
  speak(language, await translations[language]())
}
