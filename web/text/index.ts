/** The page's texts in the browser's language. */
import { chooseLanguage, languages } from '#shared/language'
import { loadSharedText } from '#shared/text/load'
import type { WebText } from './catalogue'
import { english } from './en'

export let text: WebText = english

/** Call this before anything is shown. */
export async function loadText(wished: readonly string[]): Promise<void> {
  const language = chooseLanguage(wished)
  await loadSharedText(language)
  if (language === 'ko') text = (await import('./ko')).korean
  document.documentElement.lang = language
  document.documentElement.dir = languages[language].direction
  document.title = text.title
}
