/** Parses a browser engine's choice of proxies, in the format of proxy auto-configuration files. */
import { parseProxyUrl, type ProxyAddress } from '#shared/settings/proxy-url'

const schemes: Readonly<Record<string, string | undefined>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5',
}

/** Lists are short, but an auto-configuration file is untrusted code. */
const maxChoices = 16

/**
 * The first usable choice of `PROXY host:port; SOCKS5 host:port; DIRECT`; SOCKS 4 is not supported.
 * `null` for a direct connection, or if no choice is usable.
 */
export function firstListed(list: string): ProxyAddress | null {
  for (const choice of list.split(';', maxChoices)) {
    const [kind = '', place = ''] = choice.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return null
    const scheme = schemes[kind.toUpperCase()]
    const proxy = scheme === undefined ? null : parseProxyUrl(`${scheme}://${place}`)
    if (proxy !== null) return proxy
  }
  return null
}
