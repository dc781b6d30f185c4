/** The messages of a call, which are the bodies of relay messages at an embedded server (docs/nearby.md). */
import * as z from 'zod'
import { peerName } from '#client/peer-name'
import { keySchema } from '#shared/code/key-text'
import { visibleText } from '#shared/format/visible-text'
import { limits } from '#shared/limits'

const box = z.string().regex(/^[A-Za-z0-9_-]{22,6000}$/)
const mark = z.string().regex(/^[A-Za-z0-9_-]{8}$/)

const messageSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('call'), v: z.literal(1) }),
  z.object({ t: z.literal('ready'), key: keySchema, commitment: keySchema }),
  z.object({ t: z.literal('ask'), key: keySchema, box }),
  z.object({ t: z.literal('reveal'), nonce: keySchema }),
  z.object({ t: z.literal('answer'), box }),
  z.object({ t: z.literal('share'), box }),
  z.object({ t: z.literal('end') }),
  z.object({ t: z.literal('invite'), v: z.literal(1), mark, body: box }),
  z.object({ t: z.literal('received') }),
])

/** A message of a call. */
export type CallMessage = z.infer<typeof messageSchema>

/** UTF-16 units of a summary, as in the invitations of contacts. */
const summaryLength = 200

const askSchema = z.object({
  name: z.string().refine((name) => Buffer.byteLength(name) <= limits.peerNameBytes),
  summary: z.string().max(summaryLength),
})

const answerSchema = z.object({ answer: z.enum(['accepted', 'declined', 'busy']) })

const shareSchema = z.object({
  nameplate: z.string().regex(/^[1-9][0-9]{3,5}$/),
  words: z.string().regex(/^[a-z]{3,10}(?:-[a-z]{3,10}){2}$/),
})

export type Ask = z.infer<typeof askSchema>
export type Answer = z.infer<typeof answerSchema>['answer']
export type SharePlace = z.infer<typeof shareSchema>

/** The body of a message. */
export const encodeCall = (message: CallMessage): string =>
  Buffer.from(JSON.stringify(message)).toString('base64url')

/** The message in a body; `null` for anything else. */
export const decodeCall = (body: string): CallMessage | null =>
  decoded(messageSchema, Buffer.from(body, 'base64url').toString())

/** The content of opened boxes; `null` for anything else. */
export const decodeAsk = (text: string | null): Ask | null => decoded(askSchema, text)
export const decodeAnswer = (text: string | null): Answer | null =>
  decoded(answerSchema, text)?.answer ?? null
export const decodeShare = (text: string | null): SharePlace | null => decoded(shareSchema, text)

function decoded<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** A stranger's name as people may see it: short, and without characters that mislead. */
export const shownName = (name: string): string => peerName(visibleText(name))
