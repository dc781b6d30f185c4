/** A server as a person types it, and as the settings keep it. */
import { err, ok, type Result } from '#shared/result'
import { parseServerUrl, serverName } from '#shared/server-url'
import { type ServerProfile, serverProfileSchema } from '#shared/settings'

/** What stands in the fields; lines of STUN and TURN servers have spaces or commas between them. */
export type ServerDraft = {
  readonly url: string
  readonly name: string
  readonly stun: string
  readonly turn: string
}

export const noDraft: ServerDraft = { url: '', name: '', stun: '', turn: '' }

/** What can't be understood. */
export type DraftRefusal = 'address' | 'name' | 'taken' | 'stun' | 'turn'

const stunForm = /^stun:[^\s:@/?]+(?::\d{1,5})?$|^stun:\[[\da-f:]+\](?::\d{1,5})?$/i
const turnForm = /^turn:[^\s:@]+:\S+@[^\s@/?]+(?:\?transport=(?:udp|tcp))?$/i

const linesOf = (typed: string): readonly string[] =>
  typed.split(/[\s,]+/).filter((line) => line !== '')

/** The profile of a draft, called like its host unless it has a name. */
export function profileFrom(
  draft: ServerDraft,
  taken: readonly string[],
): Result<ServerProfile, DraftRefusal> {
  const url = draft.url.trim()
  if (!parseServerUrl(url).ok) return err('address')
  const stun = linesOf(draft.stun)
  if (!stun.every((line) => stunForm.test(line))) return err('stun')
  const turn = linesOf(draft.turn)
  if (!turn.every((line) => turnForm.test(line))) return err('turn')
  const name = draft.name.trim() || serverName(url).slice(0, 64)
  if (taken.includes(name)) return err('taken')
  const parsed = serverProfileSchema.safeParse({ name, url, stun, turn })
  return parsed.success ? ok(parsed.data) : err(refusalOf(parsed.error.issues[0]?.path[0]))
}

const refusalOf = (field: PropertyKey | undefined): DraftRefusal =>
  field === 'name' || field === 'stun' || field === 'turn' ? field : 'address'
