/** Loads the shared texts of one language; English is always loaded. */
import type { Language } from '#shared/language'
import type { Translation } from '#shared/text/catalogue'
import { type SharedText, speak } from '#shared/text/current'
import { english } from '#shared/text/en/english'

type Load = () => Promise<Translation<SharedText>>

const noTranslation: Load = () => Promise.resolve({})

const translations: { readonly [language in Language]: Load } = {
  en: noTranslation,
  ko: async () => (await import('#shared/text/ko/korean')).korean,
  de: async () => (await import('#shared/text/previews/de')).german,
  es: async () => (await import('#shared/text/previews/es')).spanish,
  fr: async () => (await import('#shared/text/previews/fr')).french,
  it: async () => (await import('#shared/text/previews/it')).italian,
  'pt-BR': async () => (await import('#shared/text/previews/pt-BR')).brazilian,
  ar: async () => (await import('#shared/text/previews/ar')).arabic,
  ja: async () => (await import('#shared/text/previews/ja')).japanese,
  'zh-Hans': async () => (await import('#shared/text/previews/zh-Hans')).chinese,
  'en-XA': async () => (await import('#shared/text/pseudo')).pseudoCatalogue(english),
}

/** Switches all shared texts to `language` once they are loaded. */
export async function loadSharedText(language: Language): Promise<void> {
  speak(language, await translations[language]())
}
