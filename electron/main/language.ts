import { chooseLanguage, isLanguage, type Language } from '#shared/language'
import type { Settings } from '#shared/settings/settings'

type Wishes = {
  /** From the command line, for this time only. */
  readonly asked: string | null
  readonly chosen: Settings['appearance']['language']
  /** The system's, best first. */
  readonly preferred: readonly string[]
}

/** The language that these wishes lead to. */
export function wantedLanguage({ asked, chosen, preferred }: Wishes): Language {
  if (asked !== null && isLanguage(asked)) return asked
  return chosen === 'system' ? chooseLanguage(preferred) : chosen
}
