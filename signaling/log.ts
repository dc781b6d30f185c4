/**
 * Every event that the server logs. The type is the privacy policy: no event has both a nameplate and an
 * address, addresses appear only in the form that the operator chose (`addressNames`), and tokens and
 * bodies have no field.
 */
export type LogEvent =
  | { readonly event: 'listening'; readonly port: number }
  | { readonly event: 'monitored'; readonly port: number }
  | { readonly event: 'draining'; readonly sockets: number }
  | { readonly event: 'drained' }
  /** Limits were reloaded; `settings` are the names of the changed ones. */
  | { readonly event: 'reloaded'; readonly settings: readonly string[] }
  /** Nothing changed, because the new settings contain a mistake. */
  | { readonly event: 'reload-refused'; readonly why: string }
  /** A trusted proxy doesn't name its client, so all its clients share one address's limits. */
  | { readonly event: 'unnamed-client' }
  /** All clients together held too many bytes, so the heaviest sockets were ended. */
  | { readonly event: 'heaviest-cut'; readonly sockets: number }
  /** A request that was refused before it became a WebSocket. */
  | { readonly event: 'upgrade-refused'; readonly status: number; readonly address?: string }
  | { readonly event: 'opened'; readonly address?: string }
  | { readonly event: 'closed'; readonly code: number; readonly address?: string }
  /** `isReturn` is true for the owner or with a pass. */
  | { readonly event: 'hosted'; readonly nameplate: string; readonly isReturn: boolean }
  | { readonly event: 'joined'; readonly nameplate: string; readonly isReturn: boolean }
  /** The shared store responds, and this node takes part. */
  | { readonly event: 'store-ready' }
  | { readonly event: 'store-lost'; readonly why: string }
  /** The other nodes considered this one dead, so it closes its sockets and starts over. */
  | { readonly event: 'evicted' }
  /** Another node died, and its sockets were removed from all sessions. */
  | { readonly event: 'released' }
  /** A bug or a failing store; the stack names code and contains no data. */
  | { readonly event: 'failed'; readonly stack: string }

/** Receives the server's events, for example `createLog` of `log-lines.ts`. */
export type Log = (event: LogEvent) => void

/** The log of a server inside the app, which no one reads. */
export const silentLog: Log = () => undefined
