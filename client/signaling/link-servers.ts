/**
 * Servers that links name. A link comes from anywhere: it may lead to the configured server, to one
 * that a person agreed to, and to no other.
 */
import { scopeOfHost } from '#client/signaling/address-scope'
import {
  fixedServer,
  type ServerAccess,
  type ServerLocator,
} from '#client/signaling/server-locator'
import type { ConfirmedServers } from '#client/state/confirmed-servers'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import type { Settings } from '#shared/settings/settings'
import { parseServerUrl, serverName, shortServerUrl } from '#shared/signaling/server-url'

/** Servers that a client uses: its own one now, perhaps the `embedded` one. */
export type ConfiguredServers = {
  readonly server: ServerLocator
  readonly embedded: ServerLocator
  readonly access?: ServerAccess
}

/** Addresses of all servers that a person has in the settings, with the `fallbacks` in use. */
export const configuredUrls = (
  { servers }: Settings['network'],
  fallbacks: readonly ServerLocator[],
): readonly string[] => [
  ...servers.flatMap((profile) => [profile.url, ...profile.fallbacks]),
  ...fallbacks.map(({ url }) => url),
]

/** One for a client. */
export class LinkServers {
  readonly #used: ConfiguredServers
  readonly #configured: () => readonly string[]
  readonly #confirmed: ConfirmedServers

  /** `configured`: see `configuredUrls`. */
  constructor(
    used: ConfiguredServers,
    configured: () => readonly string[],
    confirmed: ConfirmedServers,
  ) {
    this.#used = used
    this.#configured = configured
    this.#confirmed = confirmed
  }

  /**
   * The way to `url`, an address as `parseServerUrl` writes it. With `agreed` a person was asked about
   * it and is not asked again. `E_SERVER_UNCONFIRMED` for one that nobody agreed to: its subject is
   * what people call it, its detail the scope that its host claims.
   */
  locate(url: string, agreed: boolean): Result<ServerLocator, AppError> {
    const own = this.#used.server
    if (url === own.url) return ok(own)
    if (!this.#isKnown(url)) {
      if (!agreed) return err(unconfirmed(url))
      this.#confirmed.add(url)
    }
    return ok(fixedServer(url, this.#used.access))
  }

  /**
   * The way back to the server of an unfinished receive, `null` being the one on this computer, whatever is
   * configured since. Without one nobody agreed to it, or it is configured no more.
   */
  locateAgain(url: string | null): ServerLocator | null {
    const own = this.#used.server
    if (url === null) return this.#used.embedded
    if (url === own.url) return own
    return this.#isKnown(url) ? fixedServer(url, this.#used.access) : null
  }

  #isKnown(url: string): boolean {
    const isConfigured = this.#configured().some((text) => {
      const parsed = parseServerUrl(text)
      return parsed.ok && parsed.value === url
    })
    return isConfigured || this.#confirmed.has(url)
  }

  /** Resolves when what was agreed to is on the disk, or could not be written. */
  flushed(): Promise<void> {
    return this.#confirmed.flushed()
  }
}

/** Without TLS over the internet it is another server than that of the same name with TLS, which people may know. */
function unconfirmed(url: string): AppError {
  const scope = scopeOf(url)
  const isOpen = url.startsWith('ws:') && scope === 'public'
  return appError('E_SERVER_UNCONFIRMED', scope, isOpen ? shortServerUrl(url) : serverName(url))
}

/** An address of no host counts as one nearby: it is not on the internet. */
const scopeOf = (url: string): string =>
  scopeOfHost(new URL(url).hostname.replace(/^\[|\]$/g, '')) ?? 'private'
