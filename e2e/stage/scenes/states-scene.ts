/** One window with as many states as it can show at once. */
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import {
  code,
  GB,
  lectureSlides,
  minute,
  opened,
  outcome,
  projects,
  receiveId,
  receiving,
  rushesOffer,
  rushesRun,
  rushesTotals,
  shareId,
} from './scene-parts'

export const statesScene = {
  states: (nowMs: number): AppEvent[] => {
    const silent = receiving(
      { ...rushesOffer, id: 'r2', title: 'Thesis data set', from: 'lab-server-2' },
      projects,
      rushesRun,
      nowMs - 12_000,
    )
    const verified = receiving(
      { ...rushesOffer, id: 'r3', title: 'Photo archive 2019-2024', from: 'Studio NAS' },
      projects,
      rushesRun,
      nowMs,
    )
    const canceled = receiving(
      { ...rushesOffer, id: 'r4', title: 'Interview B-roll', from: 'Jonas Weber' },
      projects,
      rushesRun,
      nowMs,
    )
    const full = receiving(
      { ...rushesOffer, id: 'r5', title: 'Album masters', from: 'Sora Lee' },
      projects,
      rushesRun,
      nowMs,
    )
    const gone = receiving(
      { ...rushesOffer, id: 'r6', title: 'Drone footage', from: 'Ben Ito' },
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
