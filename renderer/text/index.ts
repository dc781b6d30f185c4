/** The window's texts in the language of this page, fixed until a reload. */
import type { Language } from '#shared/language'
import { type Translation, withEnglish } from '#shared/text/catalogue'
import { loadSharedText } from '#shared/text/load'
import type { Catalogue } from './catalogue'
import { english } from './en/english'

export let text: Catalogue = english

const noTranslation = () => Promise.resolve({})

const translations: { readonly [language in Language]: () => Promise<Translation<Catalogue>> } = {
  en: noTranslation,
  ko: async () => (await import('./ko/korean')).korean,
  de: async () => (await import('./previews/de')).german,
  es: async () => (await import('./previews/es')).spanish,
  fr: async () => (await import('./previews/fr')).french,
  it: async () => (await import('./previews/it')).italian,
  'pt-BR': async () => (await import('./previews/pt-BR')).brazilian,
  ar: async () => (await import('./previews/ar')).arabic,
  ja: async () => (await import('./previews/ja')).japanese,
  'zh-Hans': async () => (await import('./previews/zh-Hans')).chinese,
  'en-XA': async () => (await import('#shared/text/pseudo')).pseudoCatalogue(english),
}

/** Call this before any module of the app is loaded: modules read their texts on load. */
export async function loadText(language: Language): Promise<void> {
  const [translation] = await Promise.all([translations[language](), loadSharedText(language)])
  text = withEnglish<Catalogue>(english, translation)
}
