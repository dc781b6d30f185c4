/**
 * The page that web links open. Its code follows the `#` of the address, which browsers never send. The
 * file is therefore the same for everyone, including operators who serve it themselves.
 */
import { joinPageKorean, type PageLanguage } from '#signaling/pages/page-text'
import page from '../../resources/web/join.html?raw'

/** One HTML file per language, which loads nothing. */
export const joinPages: { readonly [language in PageLanguage]: string } = {
  en: page,
  ko: joinPageKorean.reduce((text, [english, korean]) => text.replace(english, korean), page),
}

/** The page contains its own policy for loading; only a header can forbid frames. */
export const joinPageHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'public, max-age=3600',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Language',
}
