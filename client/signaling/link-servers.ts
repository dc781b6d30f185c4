/**
 * Servers that links name. A link comes from anywhere: it may lead to the configured server, to one
 * that a person agreed to, and to no other.
 */
import { direct, type ProxyFor } from '#client/proxy/proxy-choice'
import { scopeOfHost } from '#client/signaling/address-scope'
import { fixedServer, type ServerLocator } from '#client/signaling/server-locator'
import type { ConfirmedServers } from '#client/state/confirmed-servers'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { parseServerUrl, serverName, shortServerUrl } from '#shared/server-url'

/** One for a client. */
export class LinkServers {
  readonly #own: () => ServerLocator
  readonly #embedded: ServerLocator
  readonly #configured: () => readonly string[]
  readonly #confirmed: ConfirmedServers
  readonly #proxyFor: ProxyFor

  /**
   * `own` is the server of this client now, perhaps the `embedded` one; `configured` are addresses that a
   * person has in the settings.
   */
  constructor(
    own: () => ServerLocator,
    embedded: ServerLocator,
    configured: () => readonly string[],
    confirmed: ConfirmedServers,
    proxyFor: ProxyFor = direct,
  ) {
    this.#own = own
    this.#embedded = embedded
    this.#configured = configured
    this.#confirmed = confirmed
    this.#proxyFor = proxyFor
  }

  /**
   * The way to `url`, an address as `parseServerUrl` writes it. With `agreed` a person was asked about
   * it and is not asked again. `E_SERVER_UNCONFIRMED` for one that nobody agreed to: its subject is
   * what people call it, its detail the scope that its host claims.
   */
  locate(url: string, agreed: boolean): Result<ServerLocator, AppError> {
    const own = this.#own()
    if (url === own.url) return ok(own)
    if (!this.#isKnown(url)) {
      if (!agreed) return err(unconfirmed(url))
      this.#confirmed.add(url)
    }
    return ok(fixedServer(url, this.#proxyFor))
  }

  /**
   * The way back to the server of an unfinished receive, `null` being the one on this computer, whatever is
   * configured since. Without one nobody agreed to it, or it is configured no more.
   */
  locateAgain(url: string | null): ServerLocator | null {
    const own = this.#own()
    if (url === null) return this.#embedded
    if (url === own.url) return own
    return this.#isKnown(url) ? fixedServer(url, this.#proxyFor) : null
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
