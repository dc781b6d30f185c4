/**
 * The server that a client uses, with its STUN and TURN servers: what was given for this start, else what
 * people set, else what this copy of the program comes with, else the server on this computer.
 */
import type { ClientOptions } from '#client/client-options'
import { type Clock, systemClock } from '#client/clock'
import type { IceServers } from '#client/engine'
import { proxyChooser, type ProxyFor } from '#client/proxy/proxy-choice'
import type { SettingsSource } from '#client/settings/settings-store'
import { answeringFirst } from '#client/signaling/answering-stun'
import {
  type IceConfig,
  type Lookup,
  parseIceConfig,
  resolved,
  resolveIceServers,
  systemLookup,
} from '#client/signaling/ice-servers'
import { LocalServer } from '#client/signaling/local-server'
import { type DetourMessage, detourOf } from '#client/signaling/offered-detour'
import { relaysOf, type TurnMessage } from '#client/signaling/offered-relays'
import { RefusedPasswords } from '#client/signaling/refused-passwords'
import { throughProxies } from '#client/signaling/relay-proxies'
import {
  fixedServer,
  type ServerAccess,
  type ServerLocator,
} from '#client/signaling/server-locator'
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

/** Follows the settings: each answer is for what begins now. */
export type UsedServer = {
  /** The same object as long as the address is the same; the embedded one when none is configured. */
  readonly server: ServerLocator
  /** Those that stand behind it, in order; the same objects as long as their addresses are the same. */
  readonly fallbacks: readonly ServerLocator[]
  /** The configured one's address; `null` for the embedded one. */
  readonly serverUrl: string | null
  /** The one that this program brings along. */
  readonly embedded: LocalServer
  readonly fixed: FixedServers
  /**
   * With addresses for names, and proxies for relays, for whom one meets at `at`. Errors:
   * `E_BAD_ARGUMENT` for lines that make no sense, `E_NO_RELAY` where only relays are to be used and nobody can name one.
   */
  readonly iceServers: (at: ServerLocator) => Promise<Result<IceServers, AppError>>
  /** Relays that the server names, as far as they are to be used. */
  readonly offeredRelays: (message: TurnMessage | DetourMessage) => Promise<IceServers['turn']>
  /** What a configured server is reached through. */
  readonly proxyFor: ProxyFor
  /** The same with passwords. */
  readonly access: Required<ServerAccess>
  /** What begins now connects with. */
  readonly choice: () => ServerChoice
  /** Restores in a patch the passwords, which the settings of the state don't have. */
  readonly withPasswords: (patch: SettingsPatch) => SettingsPatch
}

type Options = Pick<
  ClientOptions,
  | 'serverUrl'
  | 'serverPassword'
  | 'fallbackUrls'
  | 'ice'
  | 'relayUse'
  | 'localPort'
  | 'clock'
  | 'builtInServers'
  | 'proxy'
  | 'systemProxy'
>

/**
 * Error: `E_BAD_ARGUMENT` for an address or a proxy that was given for this start. One of the settings that makes
 * no sense keeps no program from starting: each attempt to connect says so.
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
  const fixed = { given: options.serverUrl, builtIn: options.builtInServers ?? [] }
  const choose = () => chooseServer(given, source.settings.network, fixed.builtIn)
  const used = () => usedServerUrl(fixed, source.settings.network)
  // What this start was told goes to the server that it began with, and to no other one that a link or a contact names, or
  // that people choose later.
  const first = used()
  const ofThisStart = (url: string | null) => (url === first ? options.serverPassword : undefined)
  const passwordFor = (url: string) => ofThisStart(url) ?? passwordOf(url, source.settings.network)
  const access = { proxyFor, passwordFor, refused: new RefusedPasswords(clock) }
  const embedded = new LocalServer(options.localPort)
  let configured: ServerLocator = embedded
  let behind: readonly ServerLocator[] = []
  const isGiven = (given.stun ?? given.turn) !== undefined
  return ok({
    get server() {
      const { serverUrl } = this
      if (serverUrl === null || serverUrl === embedded.url) return embedded
      if (configured.url !== serverUrl) configured = fixedServer(serverUrl, access)
      return configured
    },
    get fallbacks() {
      const urls = usableUrls(choose().fallbacks).filter((url) => url !== this.serverUrl)
      if (behind.map(({ url }) => url).join(' ') !== urls.join(' ')) {
        behind = urls.map((url) => fixedServer(url, access))
      }
      return behind
    },
    get serverUrl() {
      return used()
    },
    embedded,
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
      const parsed = parseIceConfig({ stun, turn })
      if (!parsed.ok) return parsed
      const relays = await throughProxies(parsed.value.turn, proxies)
      // That of this computer has none to give.
      if (relayUse === 'only' && relays.length === 0 && at === embedded) return err(noRelay)
      const resolve = isGiven ? resolveIceServers : resolveUsable
      const servers = await resolve({ ...parsed.value, turn: relays }, lookUp, clock)
      if (!servers.ok) return servers
      // Who wants only relays does not show its address to a STUN server.
      const asked = relayUse === 'only' ? [] : await answeringFirst(servers.value.stun, clock)
      return ok({ turn: servers.value.turn, stun: asked, relayUse })
    },
    offeredRelays: async (message) =>
      choose().relayUse === 'never'
        ? []
        : message.t === 'detour'
          ? detourOf(message, proxies)
          : throughProxies(relaysOf(message), proxies),
  })
}

/** As `parseServerUrl` writes them, each once. One that makes no sense keeps nobody from the others. */
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

/** The proxy may have a password in it, and isn't repeated. */
const noProxy = appError(
  'E_BAD_ARGUMENT',
  "This isn't the address of a proxy. Write it like http://host:port or socks5://host:port, or say system or none.",
)

const noRelay = appError('E_NO_RELAY', 'no TURN server is set that can be reached')

/**
 * What is set for good must not end a transfer on a network without the internet: a server whose name
 * has no address now is left out.
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
