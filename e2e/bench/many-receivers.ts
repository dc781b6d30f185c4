/** A share with many receivers, whose figures change as often as the engine reports them. */
import type { AppEvent } from '#shared/events'
import { allFetched } from '#shared/testing/figures'
import { local, opened, peerId, sending, shareId } from '../stage/scenes/scene-parts'

const share = shareId('s1')
const rate = 40e6

/** The events that start it, and those of one report. */
export function manyReceivers(receivers: number, totalFiles: number) {
  const totalBytes = totalFiles * 1e6
  const peers = Array.from({ length: receivers }, (_, index) => `p${index.toString()}`)
  let startedAtMs = 0
  const begin = (nowMs: number): AppEvent[] => {
    startedAtMs = nowMs
    const totals = { files: totalFiles, folders: 400, bytes: totalBytes, complete: true }
    return [
      ...opened('s1', 'Kyoto rushes', nowMs),
      { atMs: nowMs, type: 'share-counted', share, totals },
      ...peers.flatMap((peer, index) =>
        sending(
          share,
          { peer, name: `Receiver ${index.toString()}`, route: local, joinedAtMs: nowMs },
          { bytes: 1e9, rate, totalBytes, totalFiles },
          nowMs,
        ),
      ),
    ]
  }
  const progress = (nowMs: number): AppEvent[] => {
    const bytes = 1e9 + (rate * (nowMs - startedAtMs)) / 1000
    const files = Math.floor(bytes / 1e6)
    const counters = { files, bytes, totalFiles, totalBytes, transferred: bytes, ...allFetched }
    return peers.map((peer) => ({
      ...{ atMs: nowMs, share, peer: peerId(peer), counters },
      type: 'receiver-progressed' as const,
    }))
  }
  return { begin, progress }
}
