/** Proxies as people write them, and as programs use them. */

/** A proxy, and the credentials it receives. */
export type ProxyAddress = {
  readonly scheme: 'http' | 'https' | 'socks5'
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** `''`: no user and no password are sent. */
  readonly user: string
  readonly password: string
}

/** The values of the setting: the proxy of the environment or the system, no proxy, or this one. */
export type ProxySetting = 'system' | 'none' | ProxyAddress

type Scheme = ProxyAddress['scheme']

/** The accepted schemes. SOCKS proxies always resolve names of hosts, as `socks5h` requires. */
const schemes: Readonly<Record<string, Scheme | undefined>> = {
  http: 'http',
  https: 'https',
  socks5: 'socks5',
  socks5h: 'socks5',
  socks: 'socks5',
}

const usualPorts: Readonly<Record<Scheme, number>> = { http: 80, https: 443, socks5: 1080 }

const maxUrlLength = 1000

/** RFC 1929 has one byte for the length. */
const maxSocksBytes = 255

/**
 * Reads `http://host:port`, `https://…` or `socks5://…`, optionally with a percent-encoded `user:password@`; the
 * default scheme is `http`. `null` for anything else.
 */
export function parseProxyUrl(text: string): ProxyAddress | null {
  if (text.length > maxUrlLength) return null
  const [, written = 'http', authority] =
    /^(?:([a-z][a-z0-9]*):\/\/)?([^/?#\s]+)\/?$/i.exec(text.trim()) ?? []
  const scheme = schemes[written.toLowerCase()]
  if (scheme === undefined || authority === undefined) return null
  try {
    // `URL` parses authorities fully only for the web's own schemes.
    const url = new URL(`http://${authority}`)
    const port = Number(/:(\d{1,5})$/.exec(authority)?.[1] ?? usualPorts[scheme])
    const user = decodeURIComponent(url.username)
    const password = decodeURIComponent(url.password)
    const isSaid = fitsScheme(scheme, user, password)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return port > 0 && isSaid ? { scheme, host, port, user, password } : null
  } catch {
    return null
  }
}

/** Basic authentication ends the user at the first colon, and allows no control characters (RFC 7617). */
function fitsScheme(scheme: Scheme, user: string, password: string): boolean {
  if (user === '') return password === ''
  const bytes = (text: string): number => encodeURIComponent(text).replace(/%../g, '.').length
  return scheme === 'socks5'
    ? bytes(user) <= maxSocksBytes && bytes(password) <= maxSocksBytes
    : // oxlint-disable-next-line no-control-regex -- these are what this is about
      !/[:\u0000-\u001f\u007f]/.test(user) && !/[\u0000-\u001f\u007f]/.test(password)
}

/** Reads the setting from a file; `null` if it isn't valid. A scheme is required. */
export function parseProxySetting(text: string): ProxySetting | null {
  if (text === 'system' || text === 'none') return text
  return text.includes('://') ? parseProxyUrl(text) : null
}

/** Formats an address for `parseProxyUrl`. */
export function proxyUrl(proxy: ProxyAddress): string {
  const { user, password } = proxy
  const said = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return proxyName(proxy).replace('://', `://${said}`)
}

/** The same for logs and errors, without user and password. */
export const proxyName = ({ scheme, host, port }: ProxyAddress): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Removes the password of any proxy in a text. */
export const withoutProxyPassword = (text: string): string =>
  text.replace(/^(\s*(?:https?|socks\w*):\/\/[^:@/]*):.*@/is, '$1:…@')
