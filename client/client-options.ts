import type { Clock } from '#client/clock'
import type { EngineModule } from '#client/engine'
import type { NearNetwork } from '#client/lan/local-network'
import type { FindRouter } from '#client/port-mapping/find-router'
import type { SystemProxy } from '#client/proxy/proxy-choice'
import type { SettingsSource } from '#client/settings/settings-store'
import type { IceText } from '#client/signaling/ice-servers'
import type { ShareRules } from '#client/state/remembered-share'
import type { RelayUse } from '#shared/settings/relay-use'
import type { ServerProfile, Settings } from '#shared/settings/settings'

/** What the program around a client decides. */
export type ClientOptions = {
  readonly engine: EngineModule
  /** Where receives are written unless another folder is chosen. */
  readonly downloads: string
  /** `ws://host:port` or `wss://host`; `null` for the one of the settings, or what `useServer` says. */
  readonly serverUrl: string | null
  /** For that server, if it wants one; that of the settings unless given. */
  readonly serverPassword?: string | undefined
  /** Those behind `serverUrl`, in order; those of its profile unless some are given. */
  readonly fallbackUrls?: readonly string[] | undefined
  /** Servers that this copy of the program comes with; none unless given. */
  readonly builtInServers?: readonly ServerProfile[]
  /** What people set; the defaults, kept in memory, unless given. Closed with the client. */
  readonly settings?: SettingsSource
  /** STUN and TURN servers as in `parseIceConfig`; those of the server's profile unless some are given. */
  readonly ice?: IceText
  /** As in the setting `network.relay`, before which it counts. */
  readonly relayUse?: RelayUse | undefined
  /** As in the setting `network.proxy`, before which it counts. */
  readonly proxy?: string | undefined
  /** The proxy that the system has; none unless given. */
  readonly systemProxy?: SystemProxy
  /** This computer's name as others see it; that of the settings, or the system's, unless given. */
  readonly name?: string | undefined
  /** Where unfinished receives are remembered; the system's usual place unless given. */
  readonly stateDir?: string | undefined
  /** Contacts can notify this program while it has any: always, or as the settings say; off unless given. */
  readonly reachable?: boolean | 'as-set'
  /** The time in which a share tries to get its first place at a server. */
  readonly patienceMs?: number
  /** Port of the server on this computer. */
  readonly localPort?: number | undefined
  /**
   * Others on this network find what is shared, and it is looked there for what is received, without a
   * server; as the settings say unless given.
   */
  readonly visibleOnNetwork?: boolean | undefined
  /** The local network of a test. */
  readonly localNetwork?: NearNetwork
  /** Which router is asked to map ports; none unless given. */
  readonly findRouter?: FindRouter
  /** Finished transfers go to the history, unless the settings say no; off unless given. */
  readonly keepsHistory?: boolean
  /** Events tell of each file of each transfer; off unless given. */
  readonly watchesFiles?: boolean
  /** The command line's rules for shares, which keep them when they are opened again; none unless given. */
  readonly shareRules?: ShareRules
  readonly clock?: Clock
  readonly random?: () => number
}

/** Long enough to log in to a network after the computer woke up. */
export const defaultPatienceMs = 60_000

/** Whether contacts can notify a program that was asked for this, with these settings. */
export const isReachable = (asked: ClientOptions['reachable'], { contacts }: Settings): boolean =>
  asked === 'as-set' ? contacts.reachable : asked === true
