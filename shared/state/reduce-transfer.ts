/** The common part of a share's receiver and a receive: the progress of an accepted transfer. */
import { assertNever } from '#shared/assert-never'
import { addSample } from '#shared/format/rate'
import { limits } from '#shared/limits'
import type {
  FlowState,
  ItemProblem,
  Progress,
  RunningPhase,
  TransferOutcome,
} from '#shared/state/app-state'
import type { ContactRequest } from '#shared/state/contacts'
import type { ConnectionBytes, Counters, Outcome } from '#shared/state/counters'
import { addToHistory } from '#shared/state/rate-history'

/** The phase of an accepted transfer over a connection. */
export function phaseOf(flow: FlowState): RunningPhase {
  switch (flow.kind) {
    case 'flowing':
      return 'receiving'
    case 'finishing':
      return 'finishing'
    case 'paused':
    case 'paused-by-peer':
    case 'disk-full':
    case 'peer-disk-full':
      return flow.kind
    default:
      return assertNever(flow)
  }
}

export const noBytes: ConnectionBytes = { transferred: 0, reusedBytes: 0 }

/** The figures of all connections so far, once the latest has ended. */
export const bytesSoFar = ({
  progress,
  before,
}: {
  readonly progress: Progress | null
  readonly before: ConnectionBytes
}): ConnectionBytes => {
  const { transferred, reusedBytes } = progress ?? before
  return { transferred, reusedBytes }
}

const sumOf = (a: ConnectionBytes, b: ConnectionBytes): ConnectionBytes => ({
  transferred: a.transferred + b.transferred,
  reusedBytes: a.reusedBytes + b.reusedBytes,
})

/** `earlier`: the figures of earlier connections. */
export const progressed = (
  before: Progress | null,
  { atMs, counters }: { readonly atMs: number; readonly counters: Counters },
  earlier: ConnectionBytes,
): Progress => ({
  ...counters,
  ...sumOf(earlier, counters),
  samples: addSample(before?.samples ?? [], { atMs, bytes: counters.bytes }),
  history: addToHistory(before?.history ?? [], { atMs, bytes: counters.bytes }),
})

/** `earlier`: see `progressed`. */
export const outcomeOf = (
  { atMs, outcome }: { readonly atMs: number; readonly outcome: Outcome },
  startedAtMs: number,
  earlier: ConnectionBytes,
): TransferOutcome => ({
  ...outcome,
  ...sumOf(earlier, outcome),
  startedAtMs,
  endedAtMs: atMs,
})

/** At most `limits.problemsShown`. */
export const withProblem = (
  problems: readonly ItemProblem[],
  { path, error }: ItemProblem,
): readonly ItemProblem[] =>
  problems.length < limits.problemsShown ? [...problems, { path, error }] : problems

/** Sets the state of a contact request; after a transfer has ended, the other side may still be connected. */
export function withContactRequest<T extends { readonly contactRequest?: ContactRequest }>(
  transfer: T,
  contactRequest: ContactRequest | null,
): T {
  if (contactRequest !== null) return { ...transfer, contactRequest }
  if (transfer.contactRequest === undefined || transfer.contactRequest === 'accepted')
    return transfer
  const { contactRequest: _gone, ...rest } = transfer
  return rest as T
}
