/**
 * The page behind web links. Its code stands behind the `#` of the address, which no browser sends, so
 * it is the same file for everybody: also for operators who serve it themselves.
 */
import { joinPageKorean, type PageLanguage } from '#signaling/pages/page-text'
import page from '../../resources/web/join.html?raw'

/** One HTML file for each language, which loads nothing. */
export const joinPages: { readonly [language in PageLanguage]: string } = {
  en: page,
  ko: joinPageKorean.reduce((text, [english, korean]) => text.replace(english, korean), page),
}

/** The page itself has a policy for what it loads; a frame can only be kept away by a header. */
export const joinPageHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'public, max-age=3600',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Language',
}
