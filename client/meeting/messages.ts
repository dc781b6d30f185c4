/** The sealed messages at public meeting points; the normative text is docs/meeting.md. */
import * as z from 'zod'
import { type Door, openAt, sealFor } from '#client/meeting/meeting-door'
import { limits } from '#shared/limits'

/** Bodies of one message: their number, and their total length in characters. */
export const batchBounds = { bodies: 16, characters: 12 * 1024 } as const

/** Messages of one side of a run. */
export const maxMessages = 1000

const id = z.string().regex(/^[0-9a-f]{32}$/)
const count = z.int().min(0).max(maxMessages)

const body = z
  .string()
  .max(limits.relayBodyBytes)
  .regex(/^[A-Za-z0-9+/_=-]+$/)

const messageSchema = z.discriminatedUnion('t', [
  /** A host asks whether another one has this nameplate. */
  z.object({ t: z.literal('taken?'), by: id }),
  /** The answer to `by`, if so. */
  z.object({ t: z.literal('taken'), by: id }),
  z.object({
    t: z.literal('say'),
    /** The joiner's number; only in its own messages. */
    run: id.optional(),
    /** The host's random number; only in its own messages, so that two hosts of a nameplate are told apart. */
    by: id.optional(),
    /** The position among its sender's messages; absent in one that only acknowledges. */
    n: count.optional(),
    /** The number of messages that arrived from the other side, in order. */
    ack: count,
    bodies: z.array(body).max(batchBounds.bodies),
    /** The sender has left. */
    bye: z.literal(true).optional(),
  }),
  /** A notification for the contact whose mailbox the door belongs to. */
  z.object({ t: z.literal('note'), run: id, body }),
  /** The answer to `run`: it has arrived. */
  z.object({ t: z.literal('noted'), run: id }),
])

/** A message at a meeting point. */
export type MeetingMessage = z.infer<typeof messageSchema>

/** A numbered message of one side, or an acknowledgment. */
export type Say = Extract<MeetingMessage, { readonly t: 'say' }>

/** The content of an event with this message for a door. */
export const sealMessage = (door: Door, message: MeetingMessage): string =>
  sealFor(door, JSON.stringify(message))

/** The message in an event's content; `null` for anything else. */
export function openMessage(door: Door, content: string): MeetingMessage | null {
  const text = openAt(door, content)
  if (text === null) return null
  try {
    return messageSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
