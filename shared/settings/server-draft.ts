/** A server as a person types it, and as the settings store it. */
import { err, ok, type Result } from '#shared/result'
import { type ServerProfile, serverProfileSchema } from '#shared/settings/settings'
import { parseServerUrl, serverName } from '#shared/signaling/server-url'

/**
 * The contents of the fields; addresses of fallbacks, and lines of STUN and TURN servers, are separated by spaces or
 * commas.
 */
export type ServerDraft = {
  readonly url: string
  readonly name: string
  readonly fallbacks: string
  readonly stun: string
  readonly turn: string
  readonly password: string
}

export const noDraft: ServerDraft = {
  url: '',
  name: '',
  fallbacks: '',
  stun: '',
  turn: '',
  password: '',
}

/** The invalid field. */
export type DraftRefusal = 'address' | 'name' | 'taken' | 'fallbacks' | 'stun' | 'turn' | 'password'

const stunForm = /^stun:[^\s:@/?]+(?::\d{1,5})?$|^stun:\[[\da-f:]+\](?::\d{1,5})?$/i
const turnForm =
  /^(?:turn:[^\s:@]+:\S+@[^\s@/?]+(?:\?transport=(?:udp|tcp))?|turns:[^\s:@]+:\S+@[^\s@/?]+(?:\?transport=tcp)?)$/i

const linesOf = (typed: string): readonly string[] =>
  typed.split(/[\s,]+/).filter((line) => line !== '')

/** The profile of a draft, named after its host unless it has a name. */
export function profileFrom(
  draft: ServerDraft,
  taken: readonly string[],
): Result<ServerProfile, DraftRefusal> {
  const url = draft.url.trim()
  if (!parseServerUrl(url).ok) return err('address')
  const fallbacks = linesOf(draft.fallbacks)
  if (!fallbacks.every((line) => parseServerUrl(line).ok)) return err('fallbacks')
  const stun = linesOf(draft.stun)
  if (!stun.every((line) => stunForm.test(line))) return err('stun')
  const turn = linesOf(draft.turn)
  if (!turn.every((line) => turnForm.test(line))) return err('turn')
  const name = draft.name.trim() || serverName(url).slice(0, 64)
  if (taken.includes(name)) return err('taken')
  const password = draft.password.trim()
  const secret = password === '' ? {} : { password }
  const parsed = serverProfileSchema.safeParse({ name, url, fallbacks, stun, turn, ...secret })
  return parsed.success ? ok(parsed.data) : err(refusalOf(parsed.error.issues[0]?.path[0]))
}

const refusable: readonly DraftRefusal[] = ['name', 'fallbacks', 'stun', 'turn', 'password']

const refusalOf = (field: PropertyKey | undefined): DraftRefusal =>
  refusable.find((name) => name === field) ?? 'address'

/** Sets the typed password of a profile, or removes it if none was typed. `null` for an invalid one. */
export function withPassword(
  { password: _, ...server }: ServerProfile,
  typed: string,
): ServerProfile | null {
  const password = typed.trim()
  const parsed = serverProfileSchema.safeParse(password === '' ? server : { ...server, password })
  return parsed.success ? parsed.data : null
}
