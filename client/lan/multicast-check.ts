/** Checks that questions for shares reach a local network: a program receives its own packets. */
import { type Clock, systemClock } from '#client/clock'
import { asksForShares, mayConcernShares, question } from '#client/lan/announcement'
import type { NearAddress } from '#client/lan/interfaces'
import { type OpenMulticast, systemMulticast } from '#client/lan/multicast'
import { withTimeout } from '#client/with-timeout'

/** A packet returns within milliseconds; it is repeated in case it got lost. */
const againMs = 300
const timeoutMs = 1000

/** False if no packet sent there returns, mostly because of a firewall. */
export async function hearsItself(
  place: NearAddress,
  open: OpenMulticast = systemMulticast,
  clock: Clock = systemClock,
): Promise<boolean> {
  let close = (): void => undefined
  const received = new Promise<boolean>((resolve) => {
    const socket = open(place, {
      admits: mayConcernShares,
      onPacket: (packet) => {
        if (asksForShares(packet)) resolve(true)
      },
      onBroken: () => resolve(false),
    })
    socket.send(question)
    const cancel = clock.after(againMs, () => socket.send(question))
    close = () => {
      cancel()
      socket.close()
    }
  })
  const isReceived = await withTimeout(clock, timeoutMs, received, () => false)
  close()
  return isReceived
}
