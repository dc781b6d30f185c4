/** A summary of all transfers for the tray, the taskbar and questions. */
import { bytesPerSecond } from '#shared/format/rate'
import {
  type AppState,
  isMoving,
  isRunning,
  type Receive,
  type ReceiveId,
  type Receiver,
  type ShareId,
} from '#shared/state/app-state'
import { hasStopped } from '#shared/state/queries'

export type Activity = {
  /** Transfers with data in flight: one for each receiver of a share, and one for each receive. */
  readonly moving: number
  /** Accepted transfers without data in flight: paused, or waiting for space on a disk. */
  readonly still: number
  /** The number of `still` transfers that wait for space. */
  readonly waitingForSpace: number
  /** Bytes per second. */
  readonly upload: number
  readonly download: number
  /** Received bytes and wanted bytes of all transfers. */
  readonly bytes: number
  readonly totalBytes: number
}

type Transfer = Pick<Receiver | Receive, 'phase' | 'progress'>

const waits = ({ phase }: Transfer): boolean => phase === 'disk-full' || phase === 'peer-disk-full'

/** The figures of a state at `nowMs`, in Unix milliseconds. */
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

/** True if a share has not stopped, or a receive is running or reconnecting. */
export const isLive = ({ shares, receives }: AppState): boolean =>
  shares.some((share) => !hasStopped(share)) ||
  receives.some((receive) => isRunning(receive) || receive.phase === 'reconnecting')

export type Pausable = {
  readonly shares: readonly ShareId[]
  readonly receives: readonly ReceiveId[]
}

/** The transfers that can be paused or, with `paused`, resumed by this side. */
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

/** True if there is no share and no receive. */
export const isEmpty = ({ shares, receives }: Pausable): boolean =>
  shares.length + receives.length === 0
