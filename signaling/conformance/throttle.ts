/** Keeps the kit below the limits for one address, see docs/signaling.md. */
import { setTimeout as after } from 'node:timers/promises'

/** Actions with a limit per address. */
export type Action = 'socket' | 'host' | 'join' | 'same nameplate' | 'miss' | 'listen' | 'notify'

/** `burst` at once, then `perMinute`. */
export type Allowance = { readonly burst: number; readonly perMinute: number }

/** The defaults of the specification. */
export const usualAllowances: { readonly [action in Action]: Allowance } = {
  socket: { burst: 120, perMinute: 240 },
  host: { burst: 20, perMinute: 10 },
  join: { burst: 60, perMinute: 60 },
  'same nameplate': { burst: 30, perMinute: 10 },
  miss: { burst: 10, perMinute: 10 },
  listen: { burst: 50, perMinute: 50 },
  notify: { burst: 30, perMinute: 30 },
}

/** Share left to other users of the same address. */
const spared = 0.1

/** An allowance for each action; the kit waits until one is free. */
export class Throttle {
  readonly #left = new Map<string, { tokens: number; at: number }>()
  readonly #allowances: { readonly [action in Action]: Allowance }
  /** Total waiting time, ms. */
  waitedMs = 0

  constructor(allowances: { readonly [action in Action]: Allowance }) {
    this.#allowances = allowances
  }

  /** Resolves once the action is allowed; each `scope` has its own allowance. */
  async take(action: Action, scope = ''): Promise<void> {
    const { burst, perMinute } = this.#allowances[action]
    const most = Math.max(1, Math.floor(burst * (1 - spared)))
    const left = this.#left.get(action + scope) ?? { tokens: most, at: Date.now() }
    const now = Date.now()
    const tokens = Math.min(most, left.tokens + ((now - left.at) * perMinute) / 60_000) - 1
    this.#left.set(action + scope, { tokens, at: now })
    if (tokens >= 0) return
    const waitMs = (-tokens * 60_000) / perMinute
    this.waitedMs += waitMs
    await after(waitMs)
  }
}
