/** Resuming what was interrupted: without a code as long as the sender shares, else with one. */
import type { ErrorCode } from '#shared/errors'
import { hasEnded, type Receive, type ReceiveId, type TransferId } from '#shared/state/app-state'
import { bridge } from '../bridge'
import { useAppStore } from '../store/app-store'
import { dismiss, joinAgain, resumeWithCode } from './actions'

/** The sender no longer shares it where it did. */
const needsCode: ReadonlySet<ErrorCode> = new Set(['E_NO_SUCH_CODE', 'E_CODE_MISMATCH'])

/** Looks for the sender of an unfinished receive, and asks for a code where it takes one. */
export async function resumeReceive(transfer: TransferId): Promise<void> {
  const reply = hasResumeKey(transfer) ? await bridge.resume({ transfer }) : null
  if (reply?.ok === true) askWhenRefused(reply.value, transfer)
  else resumeWithCode(transfer)
}

/** Tries a receive again that did not come to its end. */
export async function tryAgain(receive: Receive): Promise<void> {
  if (!hasResumeKey(receive.transfer)) {
    await joinAgain(receive)
    return
  }
  await dismiss(receive.id)
  await resumeReceive(receive.transfer)
}

const hasResumeKey = (transfer: TransferId): boolean =>
  useAppStore
    .getState()
    .state?.unfinished.some((entry) => entry.transfer === transfer && entry.hasResumeKey) ?? false

/** Listens until it is clear whether the receive was let in. */
function askWhenRefused(id: ReceiveId, transfer: TransferId): void {
  const stop = useAppStore.subscribe(({ state }) => {
    const receive = state?.receives.find((one) => one.id === id)
    if (receive === undefined || !(hasEnded(receive) || receive.safety !== null)) return
    stop()
    if (receive.error !== null && needsCode.has(receive.error.code)) resumeWithCode(transfer)
  })
}
