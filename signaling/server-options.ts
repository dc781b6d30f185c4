/** The settings of a signaling server, and the functions that its owner has. */
import type { AppError } from '#shared/errors'
import type { Result } from '#shared/result'
import type { Clock } from '#signaling/clock'
import type { ServerConfig } from '#signaling/config/server-config'
import type { Log } from '#signaling/log'
import type { WebPage } from '#signaling/pages/web-page'
import type { Random } from '#signaling/random'
import type { RoomStore } from '#signaling/rooms/room-store'
import type { StateFactory } from '#signaling/rooms/shared-state'
import type { NetworkOptions } from '#signaling/socket/network-entrance'

/** Settings that differ from the defaults, and dependencies of tests and of other nodes. */
export type SignalingServerOptions = Partial<ServerConfig> & {
  readonly log?: Log
  /** Replaces the store in memory. */
  readonly store?: RoomStore
  /** State that this node shares with others, replacing its own. */
  readonly state?: StateFactory
  readonly clock?: Clock
  readonly random?: Random
  /**
   * Opens a server of this computer's own shares to the local network: other computers may join shares that
   * are `visible`, but can't host or listen on mailboxes.
   */
  readonly network?: NetworkOptions
  /** The page that receives in a browser; only it may use this server from a browser. */
  readonly page?: WebPage | null
}

/** A listening server. */
export type SignalingServer = {
  readonly port: number
  /** Its URL on this computer, such as `ws://127.0.0.1:8080`; clients append `signalingPath`. */
  readonly url: string
  /** The port of metrics and readiness; `null` without `metrics`. */
  readonly metricsPort: number | null
  /**
   * Applies other limits, all or none; connected clients stay. Returns the flags of the changed settings.
   * Error: `E_BAD_ARGUMENT` for a setting that isn't a limit.
   */
  reload(after: ServerConfig): Result<readonly string[], AppError>
  /** Closes every socket with 1001; resolves when all have ended, within 3 s. */
  close(): Promise<void>
  /**
   * Closes as one of several nodes: accepts no new sockets, ends the existing ones in stages within
   * `drainTime`, then closes the rest.
   */
  leave(): Promise<void>
}
