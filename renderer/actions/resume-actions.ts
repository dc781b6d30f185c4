/** Resumes interrupted receives: without a code while the sender still shares, else with one. */
import type { ErrorCode } from '#shared/errors'
import { hasEnded, type Receive, type ReceiveId, type TransferId } from '#shared/state/app-state'
import { bridge } from '../bridge'
import { useAppStore } from '../store/app-store'
import { dismiss, joinAgain, resumeWithCode } from './actions'

/** Errors that mean the sender no longer shares there. */
const needsCode: ReadonlySet<ErrorCode> = new Set(['E_NO_SUCH_CODE', 'E_CODE_MISMATCH'])

/** Resumes an unfinished receive, and asks for a code if one is needed. */
export async function resumeReceive(transfer: TransferId): Promise<void> {
  const reply = hasResumeKey(transfer) ? await bridge.resume({ transfer }) : null
  if (reply?.ok === true) askWhenRefused(reply.value, transfer)
  else resumeWithCode(transfer)
}

/** Tries a failed receive again. */
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
    .state?.resumableReceives.some((entry) => entry.transfer === transfer && entry.hasResumeKey) ??
  false

/** Waits until the receive is either admitted or refused. */
function askWhenRefused(id: ReceiveId, transfer: TransferId): void {
  const stop = useAppStore.subscribe(({ state }) => {
    const receive = state?.receives.find((one) => one.id === id)
    if (receive === undefined || !(hasEnded(receive) || receive.safety !== null)) return
    stop()
    if (receive.error !== null && needsCode.has(receive.error.code)) resumeWithCode(transfer)
  })
}
