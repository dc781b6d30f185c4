/**
 * Which relays of several regions are near. A relayed route goes through one of them, so its round trip is
 * what counts: all are asked at once by STUN, which every TURN server answers, and those that answer about as
 * soon as the first one are kept.
 */
import { type Clock, systemClock } from '#client/clock'
import { askStun } from '#client/signaling/answering-stun'
import type { StunServer } from '#client/signaling/ice-servers'

/** When none answers by then, UDP is blocked or they are all far away: nothing is known of any. */
const patienceMs = 300

/** A relay that needs no more than this beyond the first answer is as near: another rack, another path. */
const slackMs = 10

/** And in proportion, for those that are all far away. */
const slackFactor = 1.25

/** Asks a server; `onAnswer` may come until the returned function is called, once. */
export type AskStun = (server: StunServer, onAnswer: () => void) => () => void

/**
 * The hosts that are near, of those where a relay listens for UDP; all of them when there is one only, or when
 * none answers in time.
 */
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
