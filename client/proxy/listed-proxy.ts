/** The answer of a browser's engine to which proxy there is, in the form of proxy auto-configuration files. */
import { parseProxyUrl, type ProxyAddress } from '#shared/settings/proxy-url'

const schemes: Readonly<Record<string, string | undefined>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5',
}

/** Lists are short; what a file for proxies says is somebody else's program. */
const maxChoices = 16

/**
 * The first choice of `PROXY host:port; SOCKS5 host:port; DIRECT` that can be used: SOCKS 4 can't. `null` for
 * the direct way, or when there is none of them.
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
