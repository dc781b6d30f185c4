/**
 * All that the server ever logs. The type is the privacy policy: no event has both a nameplate and
 * an address, addresses are there only in a form that the operator chose (`addressNames`), tokens and
 * bodies have no field.
 */
export type LogEvent =
  | { readonly event: 'listening'; readonly port: number }
  /** The port for those who run the server. */
  | { readonly event: 'monitored'; readonly port: number }
  | { readonly event: 'draining'; readonly sockets: number }
  | { readonly event: 'drained' }
  /** Limits that were read again; the flags of those that changed. */
  | { readonly event: 'reloaded'; readonly settings: readonly string[] }
  /** Nothing changed, as something is wrong with what was read. */
  | { readonly event: 'reload-refused'; readonly why: string }
  /** A trusted proxy doesn't say for whom it asks: all of its clients have one address's limits. */
  | { readonly event: 'unnamed-client' }
  /** Clients held too many bytes together: those that held most were cut. */
  | { readonly event: 'heaviest-cut'; readonly sockets: number }
  /** A request that was refused before it became a WebSocket. */
  | { readonly event: 'upgrade-refused'; readonly status: number; readonly address?: string }
  | { readonly event: 'opened'; readonly address?: string }
  | { readonly event: 'closed'; readonly code: number; readonly address?: string }
  /** `isReturn`: it is the owner, or has a pass. */
  | { readonly event: 'hosted'; readonly nameplate: string; readonly isReturn: boolean }
  | { readonly event: 'joined'; readonly nameplate: string; readonly isReturn: boolean }
  /** The store that nodes share answers: this node takes part. */
  | { readonly event: 'store-ready' }
  | { readonly event: 'store-lost'; readonly why: string }
  /** The other nodes took this one for dead: its sockets end, and it begins anew. */
  | { readonly event: 'evicted' }
  /** Another node died, and its sockets were taken out of all sessions. */
  | { readonly event: 'released' }
  /** A bug or a store that fails; the stack names code, no data. */
  | { readonly event: 'failed'; readonly stack: string }

/** Takes the server's events, for example `createLog` of `pino-log.ts`. */
export type Log = (event: LogEvent) => void

/** For a server inside the app: nobody reads its log. */
export const silentLog: Log = () => undefined
