/** The texts that window, dialogs and command share, in the current language. */
import { type Language, setLanguage } from '#shared/language'
import { type CatalogueOf, type Translation, withEnglish } from '#shared/text/catalogue'
import { english } from '#shared/text/en/english'

export type SharedText = CatalogueOf<typeof english>

export let text: SharedText = english

/** Switches all texts to `language`. */
export function speak(language: Language, translation: Translation<SharedText>): void {
  setLanguage(language)
  text = withEnglish<SharedText>(english, translation)
}
