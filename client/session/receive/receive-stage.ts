/** The stage that a receive has reached. */
import { nothingAccepted } from '#client/session/requests'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import type { ReceivePlan } from '#shared/settings/receive-options'
import type { FlowState } from '#shared/state/app-state'

/** A lost link takes it back to `searching`, but undoes no decision. */
export type Stage =
  /** The sender is being searched for, or has not offered anything yet. */
  | { readonly kind: 'searching' }
  /** A person has to decide. */
  | { readonly kind: 'offered' }
  | Accepted
  | { readonly kind: 'over' }

/** The accepted plan; a later link accepts the same. */
export type Accepted = {
  readonly kind: 'accepted'
  readonly plan: ReceivePlan
  readonly isPaused: boolean
  /** `lost`: the current link has no offer yet. `finishing`: all bytes were received and become durable. */
  readonly link: 'lost' | 'running' | 'finishing'
}

/** The accepted plan while the engine receives over the current link. */
export const runningIn = (stage: Stage): Accepted | null =>
  stage.kind === 'accepted' && stage.link !== 'lost' ? stage : null

/** The accepted plan while the receive is finishing. */
export const finishingIn = (stage: Stage): Accepted | null =>
  stage.kind === 'accepted' && stage.link === 'finishing' ? stage : null

/** True once the sender has made its offer on the current link. */
export const hasOffer = (stage: Stage): boolean =>
  stage.kind === 'offered' || runningIn(stage) !== null

/** The stage after the engine reports the flow over the current link. */
export const withFlow = (stage: Stage, { kind }: FlowState): Stage => {
  const running = runningIn(stage)
  if (running === null) return stage
  return { ...running, link: kind === 'finishing' ? 'finishing' : 'running' }
}

/** The stage without the current link. */
export function withoutLink(stage: Stage): Stage {
  if (stage.kind === 'accepted') return { ...stage, link: 'lost' }
  return stage.kind === 'offered' ? { kind: 'searching' } : stage
}

/** The stage with a changed plan. Errors: `E_LIMIT_EXCEEDED`, or nothing was accepted yet. */
export function withPlan(
  stage: Stage,
  changed: (plan: ReceivePlan) => Partial<ReceivePlan>,
  isPaused?: boolean,
): Result<Accepted, AppError> {
  if (stage.kind !== 'accepted') return nothingAccepted
  const plan = { ...stage.plan, ...changed(stage.plan) }
  return plan.changes.length > limits.selectionChanges
    ? err(appError('E_LIMIT_EXCEEDED', 'too many changes of one selection'))
    : ok({ ...stage, plan, isPaused: isPaused ?? stage.isPaused })
}
