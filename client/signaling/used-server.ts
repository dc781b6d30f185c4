/**
 * The server that a client uses, with its STUN and TURN servers. It is named by this start's options, else the settings,
 * else this copy's built-in list; else it is the embedded server.
 */
import type { ClientOptions } from '#client/client-options'
import { type Clock, systemClock } from '#client/clock'
import type { IceServers } from '#client/engine'
import { MeetingPlace } from '#client/meeting/meeting-place'
import { proxyChooser, type ProxyFor } from '#client/proxy/proxy-choice'
import type { SettingsSource } from '#client/settings/settings-store'
import { answeringFirst, answeringInTurn } from '#client/signaling/answering-stun'
import {
  type IceConfig,
  type Lookup,
  parseIceConfig,
  resolved,
  resolveIceServers,
  systemLookup,
} from '#client/signaling/ice-servers'
import { LocalServer } from '#client/signaling/local-server'
import { relaysOf, type TurnMessage } from '#client/signaling/offered-relays'
import { type ServerRelayMessage, serverRelayOf } from '#client/signaling/offered-server-relay'
import { RefusedPasswords } from '#client/signaling/refused-passwords'
import { throughProxies } from '#client/signaling/relay-proxies'
import {
  fixedServer,
  type ServerAccess,
  type ServerLocator,
} from '#client/signaling/server-locator'
import { withTimeout } from '#client/with-timeout'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { parseProxySetting } from '#shared/settings/proxy-url'
import {
  chooseServer,
  type FixedServers,
  type GivenServer,
  passwordOf,
  type ServerChoice,
  usedServerUrl,
} from '#shared/settings/server-choice'
import { maxFallbacks, type SettingsPatch } from '#shared/settings/settings'
import { withOwnPasswords } from '#shared/settings/settings-secrets'
import { parseServerUrl } from '#shared/signaling/server-url'

/** Follows the settings: each value applies to sessions that begin now. */
export type UsedServer = {
  /**
   * The same object while the address is the same. If none is configured, the public meeting points, or the embedded
   * server if they may not be used.
   */
  readonly server: ServerLocator
  /** The server's fallbacks, in order, and perhaps the meeting points; the same objects while their addresses are the same. */
  readonly fallbacks: readonly ServerLocator[]
  /** The configured server's address; `null` for none. */
  readonly serverUrl: string | null
  /** The server that this program can start. */
  readonly embedded: LocalServer
  readonly fixed: FixedServers
  /**
   * Resolved servers, with proxies for relays, for a session at `at`. Errors: `E_BAD_ARGUMENT` for invalid lines,
   * `E_NO_RELAY` if only relays may be used and none can be named.
   */
  readonly iceServers: (at: ServerLocator) => Promise<Result<IceServers, AppError>>
  /** Relays that the server names, if they may be used. */
  readonly offeredRelays: (message: TurnMessage | ServerRelayMessage) => Promise<IceServers['turn']>
  /** Chooses the proxy for a configured server. */
  readonly proxyFor: ProxyFor
  /** Proxies and passwords for configured servers. */
  readonly access: Required<ServerAccess>
  /** The choice for sessions that begin now. */
  readonly choice: () => ServerChoice
  /** The addresses of public meeting points; `null` if they may not be used. */
  readonly meetingRelays: () => readonly string[] | null
  /** Restores the passwords in a patch, which the state's settings omit. */
  readonly withPasswords: (patch: SettingsPatch) => SettingsPatch
}

/** Limits resolving the names of this copy's STUN servers: a network may have no names of the internet. */
const listedStunMs = 1000

const none = ok({ stun: [], turn: [] })

type Options = Pick<
  ClientOptions,
  | 'serverUrl'
  | 'serverPassword'
  | 'fallbackUrls'
  | 'ice'
  | 'relayUse'
  | 'localPort'
  | 'webPage'
  | 'clock'
  | 'builtInServers'
  | 'proxy'
  | 'systemProxy'
  | 'meetingList'
  | 'meetingSeams'
>

/**
 * Error: `E_BAD_ARGUMENT` for an invalid address or proxy among the options. Invalid settings don't prevent a start;
 * each attempt to connect reports them.
 */
export function useServer(
  options: Options,
  source: SettingsSource,
  lookUp: Lookup = systemLookup,
): Result<UsedServer, AppError> {
  const ice = options.ice ?? { stun: [], turn: [] }
  for (const url of [options.serverUrl ?? [], options.fallbackUrls ?? []].flat()) {
    const said = parseServerUrl(url)
    if (!said.ok) return said
  }
  if ((options.fallbackUrls ?? []).length > maxFallbacks) return err(tooManyFallbacks)
  const parsed = parseIceConfig(ice)
  if (!parsed.ok) return parsed
  const { proxy } = options
  if (proxy !== undefined && parseProxySetting(proxy) === null) return err(noProxy)
  const proxyFor = proxyChooser({
    setting: () => parseProxySetting(proxy ?? source.settings.network.proxy),
    environment: process.env,
    system: options.systemProxy,
  })
  const clock = options.clock ?? systemClock
  const proxies = { proxyFor, lookUp, clock }
  const given: GivenServer = {
    url: options.serverUrl ?? undefined,
    fallbacks: options.fallbackUrls,
    stun: ice.stun.length === 0 ? undefined : ice.stun,
    turn: ice.turn.length === 0 ? undefined : ice.turn,
    relayUse: options.relayUse,
  }
  const list = options.meetingList ?? { relays: [], stun: [] }
  const fixed: FixedServers = {
    given: options.serverUrl,
    builtIn: options.builtInServers ?? [],
    ...(list.relays.length > 0 && { canMeet: true }),
  }
  const choose = () => chooseServer(given, source.settings.network, fixed.builtIn)
  const used = () => usedServerUrl(fixed, source.settings.network)
  // This start's password is only for the server that it began with. A server from a link, a contact or a later choice
  // does not get it.
  const first = used()
  const ofThisStart = (url: string | null) => (url === first ? options.serverPassword : undefined)
  const passwordFor = (url: string) => ofThisStart(url) ?? passwordOf(url, source.settings.network)
  const access = { proxyFor, passwordFor, refused: new RefusedPasswords(clock) }
  const embedded = new LocalServer(options.localPort, { folder: options.webPage })
  const meetingRelays = (): readonly string[] => {
    const { meetingRelays: set } = source.settings.network
    return set.length > 0 ? set : list.relays
  }
  const meeting = new MeetingPlace({
    urls: meetingRelays,
    ...{ proxyFor, clock, seams: options.meetingSeams },
  })
  // Meeting points see this computer's address, which `relay = only` hides.
  const mayMeet = (): boolean => {
    const { meeting: use } = source.settings.network
    const isAllowed = use === 'always' || (use === 'automatic' && used() === null)
    return isAllowed && meetingRelays().length > 0 && choose().relayUse !== 'only'
  }
  let configured: ServerLocator = embedded
  let behind: readonly ServerLocator[] = []
  const isGiven = (given.stun ?? given.turn) !== undefined
  return ok({
    get server() {
      const { serverUrl } = this
      if (serverUrl === null) return mayMeet() ? meeting : embedded
      if (serverUrl === embedded.url) return embedded
      if (configured.url !== serverUrl) configured = fixedServer(serverUrl, access)
      return configured
    },
    get fallbacks() {
      const urls = usableUrls(choose().fallbacks).filter((url) => url !== this.serverUrl)
      if (behind.map(({ url }) => url).join(' ') !== urls.join(' ')) {
        behind = urls.map((url) => fixedServer(url, access))
      }
      return this.serverUrl !== null && mayMeet() ? [...behind, meeting] : behind
    },
    get serverUrl() {
      return used()
    },
    embedded,
    meetingRelays: () => (mayMeet() ? meetingRelays() : null),
    fixed,
    proxyFor,
    access,
    withPasswords: (patch) => withOwnPasswords(patch, source.settings.network, fixed.builtIn),
    choice: () => {
      const choice = choose()
      return { ...choice, password: ofThisStart(used()) ?? choice.password }
    },
    iceServers: async (at) => {
      const { stun, turn, relayUse } = choose()
      const isOwn = stun.length === 0 && mayMeet()
      const parsed = parseIceConfig({ stun, turn })
      const listed = parseIceConfig({ stun: list.stun, turn: [] })
      if (!parsed.ok) return parsed
      if (!listed.ok) return listed
      const relays = await throughProxies(parsed.value.turn, proxies)
      // The embedded server offers no relays.
      if (relayUse === 'only' && relays.length === 0 && at === embedded) return err(noRelay)
      const resolve = isGiven ? resolveIceServers : resolveUsable
      const [servers, own] = await Promise.all([
        resolve({ ...parsed.value, turn: relays }, lookUp, clock),
        isOwn
          ? withTimeout(clock, listedStunMs, resolveUsable(listed.value, lookUp, clock), () => none)
          : none,
      ])
      if (!servers.ok) return servers
      // If only relays may be used, no STUN server may see this computer's address.
      const ask = isOwn ? answeringInTurn : answeringFirst
      const found = isOwn && own.ok ? own.value.stun : servers.value.stun
      const asked = relayUse === 'only' ? [] : await ask(found, clock)
      return ok({ turn: servers.value.turn, stun: asked, relayUse })
    },
    offeredRelays: async (message) =>
      choose().relayUse === 'never'
        ? []
        : message.t === 'server-relay'
          ? serverRelayOf(message, proxies)
          : throughProxies(relaysOf(message), proxies),
  })
}

/** Valid addresses in the form of `parseServerUrl`, without duplicates. An invalid one does not affect the others. */
const usableUrls = (texts: readonly string[]): readonly string[] => [
  ...new Set(
    texts.flatMap((text) => {
      const parsed = parseServerUrl(text)
      return parsed.ok ? [parsed.value] : []
    }),
  ),
]

const tooManyFallbacks = appError(
  'E_BAD_ARGUMENT',
  `At most ${maxFallbacks} servers can stand behind another one. Name fewer.`,
)

/** The proxy may contain a password, so it isn't repeated. */
const noProxy = appError(
  'E_BAD_ARGUMENT',
  "This isn't the address of a proxy. Write it like http://host:port or socks5://host:port, or say system or none.",
)

const noRelay = appError('E_NO_RELAY', 'no TURN server is set that can be reached')

/**
 * A permanent setting must not end a transfer on a network without internet, so servers whose names have no address now
 * are dropped.
 */
async function resolveUsable(
  { stun, turn }: IceConfig,
  lookUp: Lookup,
  clock: Clock,
): ReturnType<typeof resolveIceServers> {
  const [stuns, turns] = await Promise.all([
    Promise.all(stun.map((server) => resolved(server, lookUp, clock))),
    Promise.all(turn.map((server) => resolved(server, lookUp, clock))),
  ])
  return ok({
    stun: stuns.flatMap((server) => (server.ok ? [server.value] : [])),
    turn: turns.flatMap((server) => (server.ok ? [server.value] : [])),
  })
}
