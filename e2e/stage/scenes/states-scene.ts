/** One window with as many states as it can show at once. */
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import {
  code,
  folderOffer,
  GB,
  lectureSlides,
  minute,
  opened,
  outcome,
  projects,
  receiveId,
  receiving,
  rushesRun,
  rushesTotals,
  shareId,
} from './scene-parts'

export const statesScene = {
  states: (nowMs: number): AppEvent[] => {
    const silent = receiving(
      folderOffer('r2', 'Thesis data set', 'lab-server-2'),
      projects,
      rushesRun,
      nowMs - 12_000,
    )
    const verified = receiving(
      folderOffer('r3', 'Photo archive 2019-2024', 'Studio NAS'),
      projects,
      rushesRun,
      nowMs,
    )
    const canceled = receiving(
      folderOffer('r4', 'Interview B-roll', 'Jonas Weber'),
      projects,
      rushesRun,
      nowMs,
    )
    const full = receiving(
      folderOffer('r5', 'Album masters', 'Sora Lee'),
      projects,
      rushesRun,
      nowMs,
    )
    const gone = receiving(
      folderOffer('r6', 'Drone footage', 'Ben Ito'),
      projects,
      rushesRun,
      nowMs,
    )
    return [
      ...lectureSlides(nowMs),
      ...silent,
      {
        atMs: nowMs,
        type: 'receive-lost',
        receive: receiveId('r2'),
        attempt: 2,
        error: appError('E_PEER_GONE'),
      },
      ...full,
      {
        atMs: nowMs,
        type: 'receive-flow-changed',
        receive: receiveId('r5'),
        flow: { kind: 'disk-full', need: 3.4 * GB },
      },
      ...gone,
      {
        atMs: nowMs,
        type: 'receive-interrupted',
        receive: receiveId('r6'),
        error: appError('E_PEER_GONE'),
      },
      ...verified,
      {
        atMs: nowMs,
        type: 'receive-finished',
        receive: receiveId('r3'),
        outcome: outcome(1_282, rushesTotals.bytes),
      },
      ...canceled,
      {
        atMs: nowMs,
        type: 'receive-failed',
        receive: receiveId('r4'),
        error: appError('E_CANCELLED'),
      },
      ...opened('s5', 'Kitchen plans', nowMs - 2 * minute),
      { atMs: nowMs, type: 'share-unreachable', share: shareId('s5') },
      ...opened('s6', 'release-2.4.0.tar', nowMs - 3 * minute),
      { atMs: nowMs, type: 'share-stopped', share: shareId('s6') },
      code('r7', nowMs, '7350-maple-cedar-wolf'),
      { atMs: nowMs, type: 'receive-found', receive: receiveId('r7') },
      {
        atMs: nowMs,
        type: 'server-changed',
        server: {
          phase: 'unreachable',
          url: 'wss://meet.example.org/v1',
          error: appError('E_SERVER_UNREACHABLE', 'ECONNREFUSED', 'meet.example.org'),
        },
      },
    ]
  },
} as const
