import { chooseLanguage, isLanguage, type Language } from '#shared/language'
import type { Settings } from '#shared/settings/settings'

type Wishes = {
  /** The language named on the command line, for this start only. */
  readonly asked: string | null
  readonly chosen: Settings['appearance']['language']
  /** The system's languages, the preferred one first. */
  readonly preferred: readonly string[]
}

/** Selects the language by these wishes. */
export function wantedLanguage({ asked, chosen, preferred }: Wishes): Language {
  if (asked !== null && isLanguage(asked)) return asked
  return chosen === 'system' ? chooseLanguage(preferred) : chosen
}
