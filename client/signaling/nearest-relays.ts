/**
 * Selects the nearest relays among several regions, because a relayed route's round trip depends on its relay. All are
 * queried at the same time by STUN, which every TURN server answers. Those that answer almost as fast as the first one
 * are kept.
 */
import { type Clock, systemClock } from '#client/clock'
import { askStun } from '#client/signaling/answering-stun'
import type { StunServer } from '#client/signaling/ice-servers'

/** If no relay answers by then, UDP is blocked or all are far away, so nothing is known about them. */
const patienceMs = 300

/** The delay after the first answer for which a relay is still as near: another rack, another path. */
const slackMs = 10

/** The same allowance as a factor, for relays that are all far away. */
const slackFactor = 1.25

/** Queries a server. `onAnswer` may be called until the returned function is, which must happen once. */
export type AskStun = (server: StunServer, onAnswer: () => void) => () => void

/** The hosts of the nearest UDP relays; all of them if there is only one, or if none answers in time. */
export function nearestHosts(
  relays: readonly StunServer[],
  clock: Clock = systemClock,
  ask: AskStun = askStun,
): Promise<ReadonlySet<string>> {
  const hosts = new Map(relays.map((relay) => [relay.host, relay]))
  const all = new Set(hosts.keys())
  if (hosts.size < 2) return Promise.resolve(all)
  return new Promise((resolve) => {
    const near = new Set<string>()
    const startedAt = clock.now()
    const closes: (() => void)[] = []
    const finish = (): void => {
      for (const close of closes) close()
      resolve(near.size === 0 ? all : near)
    }
    let cancel = clock.after(patienceMs, finish)
    for (const relay of hosts.values()) {
      const onAnswer = (): void => {
        if (near.size === 0) {
          cancel()
          const tookMs = clock.now() - startedAt
          cancel = clock.after(Math.max(slackMs, tookMs * (slackFactor - 1)), finish)
        }
        near.add(relay.host)
        if (near.size < hosts.size) return
        cancel()
        finish()
      }
      closes.push(ask(relay, onAnswer))
    }
  })
}
