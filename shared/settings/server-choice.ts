/** Chooses the server, and its STUN and TURN servers, when several sources name one. */
import type { RelayUse } from '#shared/settings/relay-use'
import type { ServerProfile, Settings } from '#shared/settings/settings'
import { parseServerUrl } from '#shared/signaling/server-url'

/** Servers from the command line or the environment; they override the settings. */
export type GivenServer = {
  readonly url?: string | undefined
  readonly fallbacks?: readonly string[] | undefined
  readonly stun?: readonly string[] | undefined
  readonly turn?: readonly string[] | undefined
  readonly relayUse?: RelayUse | undefined
  /** Password of the server in use. */
  readonly password?: string | undefined
}

/** Sources that no setting changes while the program runs. */
export type FixedServers = {
  /** Address of the server that the program was started with, as written; `null` for none. */
  readonly given: string | null
  readonly builtIn: readonly ServerProfile[]
  /** True if this copy knows public meeting points; absent otherwise. */
  readonly canMeet?: true
}

/** The servers that a client connects to. */
export type ServerChoice = {
  /** `null`: the embedded server. */
  readonly url: string | null
  /** Fallback servers, in order. */
  readonly fallbacks: readonly string[]
  readonly stun: readonly string[]
  readonly turn: readonly string[]
  readonly relayUse: RelayUse
  readonly password: string | undefined
}

/**
 * The profile that is used unless a server is given: the one that the settings name, else the first built-in one;
 * `null` without either.
 */
export const defaultProfile = (
  { servers, defaultServer }: Pick<Settings['network'], 'servers' | 'defaultServer'>,
  builtIn: readonly ServerProfile[] = [],
): ServerProfile | null =>
  [...servers, ...builtIn].find(({ name }) => name === defaultServer) ?? builtIn[0] ?? null

/** Given TURN servers are used even if the settings never use a relay. */
export const chooseRelayUse = (
  { relayUse, turn }: Pick<GivenServer, 'relayUse' | 'turn'>,
  { relay }: Pick<Settings['network'], 'relay'>,
): RelayUse => relayUse ?? (relay === 'never' && turn !== undefined ? 'automatic' : relay)

/** The server to use. A server given by its address also uses its profile in the settings. */
export function chooseServer(
  given: GivenServer,
  network: Settings['network'],
  builtIn: readonly ServerProfile[] = [],
): ServerChoice {
  const profile =
    given.url === undefined
      ? defaultProfile(network, builtIn)
      : ([...network.servers, ...builtIn].find(({ url }) => url === given.url) ?? null)
  const relayUse = chooseRelayUse(given, network)
  const turn = given.turn ?? profile?.turn ?? []
  return {
    url: given.url ?? profile?.url ?? null,
    fallbacks: given.fallbacks ?? profile?.fallbacks ?? [],
    stun: given.stun ?? profile?.stun ?? [],
    turn: relayUse === 'never' ? [] : turn,
    relayUse,
    password: given.password ?? profile?.password,
  }
}

/** Address of the server for new shares and receives, in the form of `parseServerUrl`; `null` for none. */
export function usedServerUrl(
  { given, builtIn }: FixedServers,
  network: Settings['network'],
): string | null {
  const { url } = chooseServer({ url: given ?? undefined }, network, builtIn)
  return url === null ? null : addressOf(url)
}

/** `url` in the form of `parseServerUrl`, if it is valid. */
function addressOf(url: string): string {
  const parsed = parseServerUrl(url)
  return parsed.ok ? parsed.value : url
}

/** True if a share or a join would use public meeting points, and the person was not asked yet. */
export const asksAboutMeeting = (fixed: FixedServers, network: Settings['network']): boolean =>
  fixed.canMeet === true &&
  network.meeting === 'ask' &&
  network.relay !== 'only' &&
  usedServerUrl(fixed, network) === null

/** The password in the settings for the server at `url`. */
export const passwordOf = (
  url: string,
  { servers }: Pick<Settings['network'], 'servers'>,
): string | undefined =>
  servers.find((server) => addressOf(server.url) === addressOf(url))?.password
