/** Chooses the proxy for each server, if any. */
import { isExcepted } from '#client/proxy/no-proxy'
import { isOnThisNetwork } from '#client/proxy/this-network'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { parseProxyUrl, type ProxyAddress, type ProxySetting } from '#shared/settings/proxy-url'

/**
 * The proxy for a WebSocket to `url`; `null` for a direct connection. Error: `E_BAD_ARGUMENT` for
 * an invalid proxy, which never falls back to a direct connection.
 */
export type ProxyFor = (url: string) => Promise<Result<ProxyAddress | null, AppError>>

/** The system's proxy for `url`; `null` for none. */
export type SystemProxy = (url: string) => Promise<ProxyAddress | null>

/** The sources of the choice, in order. */
export type ProxySources = {
  /** The setting; `null` if it is invalid. */
  readonly setting: () => ProxySetting | null
  /** Environment variables, as in `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly system?: SystemProxy | undefined
  /** True for a host on this computer or its network; `isOnThisNetwork` by default. */
  readonly isNear?: (host: string) => boolean
}

/** Always connects directly. */
export const direct: ProxyFor = () => Promise.resolve(ok(null))

/**
 * Chooses by the setting, else the environment, else the system. This computer, its network and the
 * hosts in `NO_PROXY` are always reached directly.
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
    const { host, port } = hostPortOf(url)
    const exceptions = variable(environment, 'no_proxy') ?? ''
    if (isNear(host) || isExcepted(host, port, exceptions)) return ok(null)
    if (set === null) return err(appError('E_BAD_ARGUMENT', noProxy('The setting network.proxy')))
    if (set !== 'system') return ok(set)
    for (const name of ['https_proxy', 'all_proxy'] as const) {
      const said = variable(environment, name)
      if (said === undefined) continue
      const proxy = parseProxyUrl(said)
      // The variable may contain a password.
      return proxy === null
        ? err(appError('E_BAD_ARGUMENT', noProxy(`The variable ${name.toUpperCase()}`)))
        : ok(proxy)
    }
    try {
      return ok(await system(url))
    } catch {
      // If the system fails to answer, it has no proxy, as in other programs.
      return ok(null)
    }
  }
}

const noProxy = (what: string): string =>
  `${what} isn't the address of a proxy. Write it like http://host:port or socks5://host:port.`

/** Prefers the lower-case name, as other programs do; an empty variable is ignored. */
const variable = (
  environment: ProxySources['environment'],
  name: 'https_proxy' | 'all_proxy' | 'no_proxy',
): string | undefined => environment[name] || environment[name.toUpperCase()] || undefined

/** The target of a tunnel: a name, or an address without brackets. */
export type HostPort = { readonly host: string; readonly port: number }

/** The host and port of a WebSocket to `url`. */
export function hostPortOf(url: string): HostPort {
  const { hostname, port, protocol } = new URL(url)
  const usual = protocol === 'wss:' ? 443 : 80
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }
}
