/** What goes on in all transfers together, in the few figures that tray, taskbar and questions need. */
import { bytesPerSecond } from '#shared/format/rate'
import {
  type AppState,
  hasStopped,
  isMoving,
  isRunning,
  type Receive,
  type ReceiveId,
  type Receiver,
  type ShareId,
} from '#shared/state/app-state'

export type Activity = {
  /** Transfers whose bytes move: one for each receiver of a share, and one for each receive. */
  readonly moving: number
  /** Accepted transfers that do not move: paused, or waiting for space on a disk. */
  readonly still: number
  /** Those of them that wait for space. */
  readonly waitingForSpace: number
  /** Bytes a second. */
  readonly upload: number
  readonly download: number
  /** Received and wanted bytes of all of them. */
  readonly bytes: number
  readonly totalBytes: number
}

type Transfer = Pick<Receiver | Receive, 'phase' | 'progress'>

const waits = ({ phase }: Transfer): boolean => phase === 'disk-full' || phase === 'peer-disk-full'

/** The figures of a state at a moment, Unix milliseconds. */
export function activityOf(state: AppState, nowMs: number): Activity {
  const uploads = state.shares.flatMap(({ receivers }) => receivers).filter(isRunning)
  const downloads = state.receives.filter(isRunning)
  const all: readonly Transfer[] = [...uploads, ...downloads]
  const moving = all.filter(isMoving)
  return {
    moving: moving.length,
    still: all.length - moving.length,
    waitingForSpace: all.filter(waits).length,
    upload: rateOf(uploads, nowMs),
    download: rateOf(downloads, nowMs),
    bytes: sum(all, ({ progress }) => progress?.bytes ?? 0),
    totalBytes: sum(all, ({ progress }) => progress?.totalBytes ?? 0),
  }
}

const rateOf = (transfers: readonly Transfer[], nowMs: number): number =>
  sum(
    transfers.filter(isMoving),
    ({ progress }) => bytesPerSecond(progress?.samples ?? [], nowMs) ?? 0,
  )

const sum = (all: readonly Transfer[], of: (one: Transfer) => number): number =>
  all.reduce((total, one) => total + of(one), 0)

/** True for a share that people can join, or that sends, and for a receive that works. */
export const isLive = ({ shares, receives }: AppState): boolean =>
  shares.some((share) => !hasStopped(share)) ||
  receives.some((receive) => isRunning(receive) || receive.phase === 'reconnecting')

export type Pausable = {
  readonly shares: readonly ShareId[]
  readonly receives: readonly ReceiveId[]
}

/** What can be paused, or with `paused` what this side has paused. */
export function pausable({ shares, receives }: AppState, paused: boolean): Pausable {
  return {
    shares: shares
      .filter((share) => !hasStopped(share) && share.paused === paused)
      .filter((share) => paused || share.receivers.some(isRunning))
      .map(({ id }) => id),
    receives: receives
      .filter((receive) => isRunning(receive) && (receive.phase === 'paused') === paused)
      .map(({ id }) => id),
  }
}

/** True when there is nothing in it. */
export const isEmpty = ({ shares, receives }: Pausable): boolean =>
  shares.length + receives.length === 0
