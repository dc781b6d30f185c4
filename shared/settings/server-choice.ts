/** Which server is used, with its STUN and TURN servers, when several places name one. */
import type { RelayUse } from '#shared/settings/relay-use'
import type { ServerProfile, Settings } from '#shared/settings/settings'
import { parseServerUrl } from '#shared/signaling/server-url'

/** What the command line or the environment names; it beats the settings. */
export type GivenServer = {
  readonly url?: string | undefined
  readonly fallbacks?: readonly string[] | undefined
  readonly stun?: readonly string[] | undefined
  readonly turn?: readonly string[] | undefined
  readonly relayUse?: RelayUse | undefined
  /** For the server that is used. */
  readonly password?: string | undefined
}

/** What no setting changes while a program runs. */
export type FixedServers = {
  /** Address of the server that this start was told to use, as it was written; `null` for none. */
  readonly given: string | null
  /** Those that this copy of the program comes with. */
  readonly builtIn: readonly ServerProfile[]
}

/** What a client connects with. */
export type ServerChoice = {
  /** `null`: the server of this computer. */
  readonly url: string | null
  /** Servers behind that one, in the order in which they are asked. */
  readonly fallbacks: readonly string[]
  readonly stun: readonly string[]
  readonly turn: readonly string[]
  readonly relayUse: RelayUse
  readonly password: string | undefined
}

/**
 * The profile that is used unless a server is given: the one with the name that is set, else the first
 * that this copy of the program comes with; `null` without one.
 */
export const defaultProfile = (
  { servers, defaultServer }: Pick<Settings['network'], 'servers' | 'defaultServer'>,
  builtIn: readonly ServerProfile[] = [],
): ServerProfile | null =>
  [...servers, ...builtIn].find(({ name }) => name === defaultServer) ?? builtIn[0] ?? null

/** TURN servers that are given are used even where the settings never use a relay. */
export const chooseRelayUse = (
  { relayUse, turn }: Pick<GivenServer, 'relayUse' | 'turn'>,
  { relay }: Pick<Settings['network'], 'relay'>,
): RelayUse => relayUse ?? (relay === 'never' && turn !== undefined ? 'automatic' : relay)

/** The server to use. One that is given by its address brings along what the settings have for it. */
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

/** Address of the server that what begins now uses, as `parseServerUrl` writes it; `null` for none. */
export function usedServerUrl(
  { given, builtIn }: FixedServers,
  network: Settings['network'],
): string | null {
  const { url } = chooseServer({ url: given ?? undefined }, network, builtIn)
  if (url === null) return null
  const parsed = parseServerUrl(url)
  return parsed.ok ? parsed.value : url
}

/** The password that people set for the server at `url`, an address as `parseServerUrl` writes it. */
export const passwordOf = (
  url: string,
  { servers }: Pick<Settings['network'], 'servers'>,
): string | undefined =>
  servers.find((server) => {
    const parsed = parseServerUrl(server.url)
    return parsed.ok && parsed.value === url
  })?.password
