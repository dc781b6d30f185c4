/** Options of `host` that a share keeps for `--resume`, apart from its items. */
import type { ShareRules } from '#client/state/remembered-share'
import type { NetworkOptions } from '../compose-client'
import type { LimitFlags } from '../options/flags'

type Options = NetworkOptions & LimitFlags

/** The rules set by `options`. */
export const rulesOf = (options: Options): ShareRules => {
  const { relay: relayUse, lan, portMapping, meeting, history, leaveRoom } = options
  const { name, proxy, limitUp, limitDown } = options
  return {
    // The first three can only be turned off, and `leaveRoom` only on.
    visible: lan === false ? false : undefined,
    portMapping: portMapping === false ? false : undefined,
    meeting,
    keepsHistory: history === false ? false : undefined,
    background: leaveRoom === true ? true : undefined,
    relayUse,
    name,
    proxy,
    limitUp,
    limitDown,
  }
}

/** Fills in unset `options` from `rules`. */
export function withRules<T extends Options>(options: T, rules: ShareRules): T {
  const given = Object.entries(rulesOf(options)).filter(([, value]) => value !== undefined)
  const { relayUse, visible, keepsHistory, background, ...same }: ShareRules = {
    ...rules,
    ...Object.fromEntries(given),
  }
  const said = Object.entries({
    ...same,
    relay: relayUse,
    lan: visible,
    history: keepsHistory,
    leaveRoom: background,
  }).filter(([, value]) => value !== undefined)
  return { ...options, ...Object.fromEntries(said) }
}
