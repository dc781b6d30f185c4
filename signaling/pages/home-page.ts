/**
 * The page at `/` describes this server, its address, and how to use it. It has no script and loads
 * nothing, so its policy allows only its own style.
 */
import { createHash } from 'node:crypto'
import type { ServerConfig } from '#signaling/config/server-config'
import { homeTexts, type PageLanguage } from '#signaling/pages/page-text'
import template from '../../resources/web/home.html?raw'

/** The facts about a server on the page. */
export type HomeFacts = Pick<
  ServerConfig,
  'sessionTimeout' | 'maxReceiversPerSender' | 'turnUrls' | 'installUrl' | 'serverPasswords'
>

const style = /<style>(.*?)<\/style>/s.exec(template)?.[1] ?? ''
const styleHash = createHash('sha256').update(style).digest('base64')

/** Headers of every response with the page. */
export const homePageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Language',
}

/** A valid Host header: names, addresses in brackets, ports, and no character that is special in HTML. */
const hostForm =
  /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i

/** The address for clients, from a browser's `host` and its use of TLS; `null` without a valid one. */
export const clientAddress = (host: string | undefined, isSecure: boolean): string | null =>
  host !== undefined && hostForm.test(host) ? `${isSecure ? 'wss' : 'ws'}://${host}` : null

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/** The page in a language; `address` comes from `clientAddress`. */
export function homePage(language: PageLanguage, facts: HomeFacts, address: string | null): string {
  const text = homeTexts[language]
  const said: Record<string, string> = {
    lang: language,
    codes: text.codes(Math.floor(facts.sessionTimeout / 3600)),
    receivers: text.receivers(facts.maxReceiversPerSender),
    relay: facts.turnUrls.length > 0 ? text.relay : text.noRelay,
    url: address ?? 'wss://…',
  }
  const wanted = facts.serverPasswords.length > 0 ? `<p>${escaped(text.password)}</p>` : ''
  /** Markup with texts, which are escaped here. */
  const markup: Record<string, string> = {
    address: `<p>${escaped(text.addressLabel)}</p><p class="url">${escaped(address ?? text.addressUnknown)}</p>${wanted}`,
    get:
      facts.installUrl === ''
        ? ''
        : `<a class="get" rel="noreferrer" href="${escaped(facts.installUrl)}">${escaped(text.get)}</a>`,
  }
  return template.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => {
    const own = (text as Readonly<Record<string, unknown>>)[name]
    return markup[name] ?? escaped(said[name] ?? (typeof own === 'string' ? own : ''))
  })
}
