/** Chooses the language of a page for a browser. */
import { chooseLanguage } from '#shared/language'
import { type PageLanguage, pageLanguages } from '#signaling/pages/page-text'

/** More than browsers send; the rest of a longer header is ignored. */
const maxWishes = 20

/**
 * The language for a request with this `Accept-Language` (RFC 9110, section 12.5.4), by the app's rule;
 * English without one.
 */
export function pageLanguage(header: string | undefined): PageLanguage {
  const wishes = (header ?? '')
    .split(',')
    .slice(0, maxWishes)
    .map((wish) => {
      const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { tag, weight: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  const chosen = chooseLanguage(wishes.map(({ tag }) => tag))
  return pageLanguages.find((language) => language === chosen) ?? 'en'
}
