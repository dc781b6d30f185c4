/** Ends and removals that people can undo for a few seconds: the main process performs them only after that. */
import type { Args } from '#shared/ipc'
import type { ReceiveId } from '#shared/state/app-state'
import { bridge } from '../bridge'
import { useUiStore } from '../store/ui-store'
import { noticeFailure } from './actions'

/** Ends or removes something after a delay; until then its place says so, and offers to undo it. */
export async function defer(request: Args<'defer'>): Promise<void> {
  useUiStore.setState({ ending: request })
  const reply = await bridge.defer(request)
  useUiStore.setState(({ ending }) => (ending === request ? { ending: null } : {}))
  noticeFailure(reply)
}

export async function undo(): Promise<void> {
  noticeFailure(await bridge.undo(undefined))
}

/** Removes ended transfers from the list, unless the person undoes it; the files stay. */
export const clearFinished = (ids: readonly string[]): Promise<void> => defer({ dismiss: [...ids] })

/** Ends a running receive, unless the person undoes it; its written files stay, and so does its row. */
export const cancelReceive = (receive: ReceiveId): Promise<void> =>
  defer({ cancelReceive: receive })
