/** The effect of a server's limits for pages. */
import { formatBytes, formatRate, formatTimeLeft } from '#shared/format/format'
import type { WebLimits } from '#shared/signaling/messages'
import { text } from '../text'

/** The shortest time that is worth mentioning, in seconds. */
const shortTime = 10

/** The effect of the limits on `bytes`; `null` if no one would notice it. */
export function aboutServer({ bytes: most, bytesPerSec }: WebLimits, bytes: number): string | null {
  if (bytes > most) return text.beyondServer(formatBytes(most))
  const time = bytes / bytesPerSec
  if (time < shortTime) return null
  return text.throughServer(formatRate(bytesPerSec), formatTimeLeft(time))
}
