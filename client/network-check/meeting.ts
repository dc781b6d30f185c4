/** Checks public meeting points: a random event is sent to a few of them, and those that return it work. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#client/clock'
import { MeetingPoints, RefusedPoints } from '#client/meeting/meeting-points'
import { EventSigner } from '#client/meeting/nostr-event'
import { PointClocks } from '#client/meeting/point-clocks'
import { type OpenPoint, pointOpener } from '#client/meeting/point-socket'
import type { ProxyFor } from '#client/proxy/proxy-choice'
import type { AppError } from '#shared/errors'
import { type Finding, finding } from '#shared/state/network-check'

/** A share uses as many. */
const most = 4

/** Limits the check; a slower point is of little use. */
const patienceMs = 4000

const boxBytes = 540

type Seams = {
  readonly proxyFor: ProxyFor
  readonly clock: Clock
  readonly open?: OpenPoint
}

/** Checks points in random order, replacing those that fail. */
export async function checkMeeting(
  relays: readonly string[],
  { proxyFor, clock, open = pointOpener(proxyFor, clock) }: Seams,
): Promise<Finding> {
  const signer = await EventSigner.create()
  const topic = randomBytes(32).toString('hex')
  const wanted = Math.min(most, relays.length)
  let ready = 0
  const lost = await new Promise<AppError | null>((resolve) => {
    const end = (error: AppError | null): void => {
      cancel()
      points.close()
      resolve(error)
    }
    const cancel = clock.after(patienceMs, () => end(null))
    const points = new MeetingPoints({
      urls: [...relays].sort(() => Math.random() - 0.5),
      most,
      topics: [topic],
      signer,
      greeting: () => randomBytes(boxBytes).toString('base64url'),
      clock,
      random: Math.random,
      open,
      refused: new RefusedPoints(),
      clocks: new PointClocks(),
      onContent: () => undefined,
      onReady: () => {
        ready += 1
        if (ready === wanted) end(null)
      },
      onLost: end,
    })
    points.start()
  })
  if (ready > 0) return finding('meeting', 'ready', { ready, wanted })
  return lost?.code === 'E_RATE_LIMITED'
    ? finding('meeting', 'refused', { server: lost.subject ?? '', detail: lost.detail })
    : finding('meeting', 'unreachable', { detail: lost?.detail ?? 'no answer in time' })
}
