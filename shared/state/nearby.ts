/** Computers on the same network whose Thruflux is open, and the calls by which they send to each other. Pure. */
import * as z from 'zod'
import { limits } from '#shared/limits'
import { type ContactId, contactIdSchema, contactNameSchema } from '#shared/state/contacts'

/** Identifies a computer while its program runs; random. */
export type NearbyId = string & { readonly brand: 'NearbyId' }

/** A computer that can be asked to receive. */
export type NearbyComputer = {
  readonly id: NearbyId
  /** The name that its person chose; this side's name for a contact. */
  readonly name: string
  /** The contact that it belongs to, as its announcement claims; absent for strangers. */
  readonly contact?: ContactId | undefined
}

/**
 * A nearby computer that a share is sent to. `calling`: it is being contacted. `asked`: its person is asked, and this
 * side's person compares the number. `confirmed`: only the other side's answer is missing; `accepted`: only this side's.
 * `joining`: it may join. The others are ends: it `declined`, was `busy` with other questions, `refused` without asking
 * its person, or is `gone`; or this side's person said that the number `differs`.
 */
export type NearbyCall = {
  readonly computer: NearbyId
  readonly name: string
  readonly phase:
    | 'calling'
    | 'asked'
    | 'confirmed'
    | 'accepted'
    | 'joining'
    | 'declined'
    | 'busy'
    | 'refused'
    | 'gone'
    | 'differs'
  /** Six digits that both sides show; `null` until the other side is asked. */
  readonly safety: string | null
}

/** A question of a nearby computer that wants to send. `accepted`: its person has yet to confirm the number. */
export type NearbyQuestion = {
  readonly id: string
  /** The name that the sender gave itself. */
  readonly name: string
  /** A description of the offer in the sender's words. */
  readonly summary: string
  readonly safety: string
  readonly phase: 'asking' | 'accepted'
  readonly arrivedMs: number
}

/** Decodes a `NearbyId` from a window. */
export const nearbyIdSchema = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .transform((id) => id as NearbyId)

/** Someone who is sent files without a code: a contact, the user of a nearby computer, or a group by its name. */
export type Recipient =
  { readonly contact: ContactId } | { readonly nearby: NearbyId } | { readonly group: string }

/** Decodes a `Recipient` from a window. */
export const recipientSchema = z.union([
  z.strictObject({ contact: contactIdSchema }),
  z.strictObject({ nearby: nearbyIdSchema }),
  z.strictObject({ group: contactNameSchema }),
])

/** Decodes the id of a `NearbyQuestion` from a window. */
export const nearbyQuestionIdSchema = z.string().max(32)

/** True once the call needs no answer of either side. */
export const isSettled = ({ phase }: NearbyCall): boolean => settled.has(phase)

const settled: ReadonlySet<NearbyCall['phase']> = new Set([
  ...(['joining', 'declined', 'busy', 'refused', 'gone', 'differs'] as const),
])

/** The computers with a typed name, ignoring case. */
export const computersNamed = (
  computers: readonly NearbyComputer[],
  name: string,
): readonly NearbyComputer[] =>
  computers.filter((one) => one.name.toLocaleLowerCase() === name.trim().toLocaleLowerCase())

/** Puts `question` first, in place of an earlier state of the same one. */
export const withQuestion = (
  questions: readonly NearbyQuestion[],
  question: NearbyQuestion,
): readonly NearbyQuestion[] =>
  [question, ...questions.filter(({ id }) => id !== question.id)].slice(0, limits.nearbyQuestions)
