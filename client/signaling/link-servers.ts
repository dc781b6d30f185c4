/**
 * Servers named by links. A link is untrusted: it may lead to the configured server or one that a person confirmed, but
 * to no other.
 */
import { meetingUrl } from '#client/meeting/meeting-client'
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

/** A client's present server, and its `embedded` one. */
export type ConfiguredServers = {
  readonly server: ServerLocator
  readonly embedded: ServerLocator
  readonly access?: ServerAccess
}

/** Addresses of all servers in the settings, and the current `fallbacks`. */
export const configuredUrls = (
  { servers }: Settings['network'],
  fallbacks: readonly ServerLocator[],
): readonly string[] => [
  ...servers.flatMap((profile) => [profile.url, ...profile.fallbacks]),
  ...fallbacks.map(({ url }) => url),
]

/** Each client has one. */
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
   * The locator of the server at `url`, in the form of `parseServerUrl`. With `agreed`, a person has confirmed it and
   * is not asked again. Error: `E_SERVER_UNCONFIRMED` for an unconfirmed server, with its readable name as the subject
   * and its claimed scope as the detail.
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
   * The locator of an unfinished receive's server, whatever is configured now; a `null` URL is no configured server.
   * Returns `null` if the server is no longer confirmed or configured.
   */
  locateAgain(url: string | null): ServerLocator | null {
    const own = this.#used.server
    if (url === null) return own.url === meetingUrl ? own : this.#used.embedded
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

  /** Resolves when confirmations are on disk, or could not be written. */
  flushed(): Promise<void> {
    return this.#confirmed.flushed()
  }
}

/** A server without TLS on the internet must not pass for the one with TLS under the same name. */
function unconfirmed(url: string): AppError {
  const scope = scopeOf(url)
  const isOpen = url.startsWith('ws:') && scope === 'public'
  return appError('E_SERVER_UNCONFIRMED', scope, isOpen ? shortServerUrl(url) : serverName(url))
}

/** An invalid host counts as nearby: it is not on the internet. */
const scopeOf = (url: string): string =>
  scopeOfHost(new URL(url).hostname.replace(/^\[|\]$/g, '')) ?? 'private'
