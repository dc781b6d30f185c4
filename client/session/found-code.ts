/** A join code that a person entered, alone or in a link. */
import type { EngineModule } from '#client/engine'
import type { JoinTarget } from '#client/session/receive/join-target'
import { readLink } from '#client/session/requests'
import type { LinkServers } from '#client/signaling/link-servers'
import type { ServerLocator } from '#client/signaling/server-locator'
import { nameplateOf, wordsOf } from '#shared/code/join-code'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import type { Share } from '#shared/state/app-state'
import { hasStopped } from '#shared/state/queries'

/** The target of a code, and the server of its link if there is one. */
export type FoundCode = { readonly target: JoinTarget; readonly place: ServerLocator | undefined }

/** Errors, before anything is sent: `E_BAD_CODE`, `E_OWN_CODE`, `E_SERVER_UNCONFIRMED` unless a person has `agreed`. */
export function findCode(
  text: string,
  agreed: boolean,
  known: {
    readonly words: Pick<EngineModule, 'isJoinCode'>
    readonly servers: LinkServers
    readonly shares: readonly Share[]
  },
): Result<FoundCode, AppError> {
  const link = readLink(text)
  if (!link.ok) return link
  const { code, server } = link.value
  if (!known.words.isJoinCode(code))
    return err(appError('E_BAD_CODE', 'not all of these are code words'))
  const place = server === null ? ok(undefined) : known.servers.locate(server, agreed)
  if (!place.ok) return place
  const isOwn = known.shares.some((share) => share.code === code && !hasStopped(share))
  if (isOwn) return err(appError('E_OWN_CODE'))
  return ok({ target: { nameplate: nameplateOf(code), words: wordsOf(code) }, place: place.value })
}
