/** Which proxy a server is reached through, if any. */
import { isExcepted } from '#client/proxy/no-proxy'
import { isOnThisNetwork } from '#client/proxy/this-network'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { parseProxyUrl, type ProxyAddress, type ProxySetting } from '#shared/settings/proxy-url'

/**
 * The proxy for a WebSocket to `url`; `null`: none, the way is direct. Error: `E_BAD_ARGUMENT` for a proxy
 * that makes no sense, which never becomes a direct way.
 */
export type ProxyFor = (url: string) => Promise<Result<ProxyAddress | null, AppError>>

/** The proxy that the system has for `url`; `null` for none. */
export type SystemProxy = (url: string) => Promise<ProxyAddress | null>

/** What decides. */
export type ProxySources = {
  /** What people set; `null` for what makes no sense. */
  readonly setting: () => ProxySetting | null
  /** Its variables, as those of `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly system?: SystemProxy | undefined
  /** Whether a host is on this computer or its own network; the system's word unless given. */
  readonly isNear?: (host: string) => boolean
}

/** The way is direct, always. */
export const direct: ProxyFor = () => Promise.resolve(ok(null))

/**
 * Made of what was set, else the environment, else the system. This computer, its own network and what
 * `NO_PROXY` names are always reached directly.
 */
export function proxyChooser({
  setting,
  environment,
  system = () => Promise.resolve(null),
  isNear = isOnThisNetwork,
}: ProxySources): ProxyFor {
  return async (url) => {
    const set = setting()
    if (set === 'none') return ok(null)
    const { host, port } = placeOf(url)
    const exceptions = variable(environment, 'no_proxy') ?? ''
    if (isNear(host) || isExcepted(host, port, exceptions)) return ok(null)
    if (set === null) return err(appError('E_BAD_ARGUMENT', noProxy('The setting network.proxy')))
    if (set !== 'system') return ok(set)
    for (const name of ['https_proxy', 'all_proxy'] as const) {
      const said = variable(environment, name)
      if (said === undefined) continue
      const proxy = parseProxyUrl(said)
      // The variable may have a password in it.
      return proxy === null
        ? err(appError('E_BAD_ARGUMENT', noProxy(`The variable ${name.toUpperCase()}`)))
        : ok(proxy)
    }
    try {
      return ok(await system(url))
    } catch {
      // A system that can't say has none, as for every other program.
      return ok(null)
    }
  }
}

const noProxy = (what: string): string =>
  `${what} isn't the address of a proxy. Write it like http://host:port or socks5://host:port.`

/** In lower case first, as other programs do; an empty one says nothing. */
const variable = (
  environment: ProxySources['environment'],
  name: 'https_proxy' | 'all_proxy' | 'no_proxy',
): string | undefined => environment[name] || environment[name.toUpperCase()] || undefined

/** The end of a tunnel: a name, or an address without brackets. */
export type Place = { readonly host: string; readonly port: number }

/** The host and port of a WebSocket to `url`. */
export function placeOf(url: string): Place {
  const { hostname, port, protocol } = new URL(url)
  const usual = protocol === 'wss:' ? 443 : 80
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }
}
