import type { Clock } from '#client/clock'
import type { EngineModule } from '#client/engine'
import type { NearNetwork } from '#client/lan/local-network'
import type { MeetingList } from '#client/meeting/meeting-list'
import type { MeetingPlaceSeams } from '#client/meeting/meeting-place'
import type { FindRouter } from '#client/port-mapping/find-router'
import type { SystemProxy } from '#client/proxy/proxy-choice'
import type { SettingsSource } from '#client/settings/settings-store'
import type { IceText } from '#client/signaling/ice-servers'
import type { ShareRules } from '#client/state/remembered-share'
import type { RelayUse } from '#shared/settings/relay-use'
import type { ServerProfile, Settings } from '#shared/settings/settings'
import type { Visibility } from '#shared/settings/visibility'

/** The choices of the program that runs a client. */
export type ClientOptions = {
  readonly engine: EngineModule
  /** The folder for receives unless another one is chosen. */
  readonly downloads: string
  /** `ws://host:port` or `wss://host`; `null` selects the server of the settings. */
  readonly serverUrl: string | null
  /** The password for that server; by default the one in the settings. */
  readonly serverPassword?: string | undefined
  /** Fallback servers of `serverUrl`, in order; by default those of its profile. */
  readonly fallbackUrls?: readonly string[] | undefined
  /** Servers that ship with this copy of the program; none by default. */
  readonly builtInServers?: readonly ServerProfile[]
  /** Public meeting points that ship with this copy of the program; none by default. */
  readonly meetingList?: MeetingList
  /** Replaces parts of public meeting points in tests. */
  readonly meetingSeams?: MeetingPlaceSeams
  /** The settings, which the client closes; by default the initial values, kept in memory. */
  readonly settings?: SettingsSource
  /** STUN and TURN servers as in `parseIceConfig`; by default those of the server's profile. */
  readonly ice?: IceText
  /** Overrides the setting `network.relay`. */
  readonly relayUse?: RelayUse | undefined
  /** Overrides the setting `network.proxy`. */
  readonly proxy?: string | undefined
  /** The system's proxy; none by default. */
  readonly systemProxy?: SystemProxy
  /** This computer's name as others see it; by default the name in the settings, or the system's. */
  readonly name?: string | undefined
  /** The folder for stored state; by default the system's usual place. */
  readonly stateDir?: string | undefined
  /** True if contacts may notify this program; `as-set` follows the settings. Off by default. */
  readonly reachable?: boolean | 'as-set'
  /** The time in which a share tries to get its first place at a server. */
  readonly patienceMs?: number
  /** Port of the server on this computer. */
  readonly localPort?: number | undefined
  /** The folder of the page that receives in a browser, which that server shows; without it there is none. */
  readonly webPage?: string
  /**
   * Makes shares discoverable on the local network, and lets receives search it, without a server. Follows the settings
   * by default.
   */
  readonly visibleOnNetwork?: boolean | undefined
  /** The people on the same network that may ask to send to this program, within the settings; `off` by default. */
  readonly receivesNearby?: Visibility
  /** A local network for tests. */
  readonly localNetwork?: NearNetwork
  /** Selects the router that maps ports; none by default. */
  readonly findRouter?: FindRouter
  /** Records finished transfers in the history unless the settings forbid it; off by default. */
  readonly keepsHistory?: boolean
  /** True to report each file of each transfer in events; off by default. */
  readonly watchesFiles?: boolean
  /** The command line's rules for shares, kept when a share is reopened; none by default. */
  readonly shareRules?: ShareRules
  readonly clock?: Clock
  readonly random?: () => number
}

/** Long enough to log in to a network after the computer wakes up. */
export const defaultPatienceMs = 60_000

/** True if contacts can notify a program with this option and these settings. */
export const isReachable = (asked: ClientOptions['reachable'], { contacts }: Settings): boolean =>
  asked === 'as-set' ? contacts.reachable : asked === true
