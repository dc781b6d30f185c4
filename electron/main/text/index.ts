/** The texts of the main process, in the language of the window. */
import type { Language } from '#shared/language'
import { type Translation, withEnglish } from '#shared/text/catalogue'
import { loadSharedText } from '#shared/text/load'
import type { MainText } from './catalogue'
import { english } from './english'
import { korean } from './korean'
import { previews } from './previews'

export let text: MainText = english

const translations: { readonly [language in Language]?: Translation<MainText> } = {
  ...previews,
  ko: korean,
}

/** Sets `language` for all later texts; first called before the window opens. */
export async function loadText(language: Language): Promise<void> {
  await loadSharedText(language)
  text = withEnglish<MainText>(english, translations[language] ?? {})
}
