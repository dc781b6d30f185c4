/** Whether a client may host or join, found out in an order in which a stranger costs little. */
import type { ErrorCode } from '#shared/errors'
import { type ClientMessage, type CloseCode, closeCodes } from '#shared/signaling/messages'
import type { Wanted } from '#signaling/limits/allowances'
import type { PassId } from '#signaling/rooms/passes'
import type { Effect } from '#signaling/rooms/rooms'
import type { ClientLine } from '#signaling/socket/client-line'
import type { ConnectionContext, Place } from '#signaling/socket/connection-context'

type Message<T> = Extract<ClientMessage, { readonly t: T }>

/** Why a client may not come in, or as whom it does. */
export type Admittance =
  | { readonly refusal: ErrorCode; readonly closeCode: CloseCode }
  | {
      readonly refusal: null
      /** The nameplate that this owner has already. */
      readonly owned: string | null
      /** A good one that a joiner showed. */
      readonly pass: PassId | null
      /** What a stranger's look at a nameplate was let in for. */
      readonly guess: Wanted | null
    }

type Context = Pick<ConnectionContext, 'rendezvous' | 'admission'>

const refused = (refusal: ErrorCode): Admittance => ({ refusal, closeCode: closeCodes.refused })

/**
 * An owner without a nameplate here is a stranger, whose proof is only looked at when it may host. Rejects with a
 * `StoreError` while the store is away.
 */
export async function admitHost(
  message: Message<'host'>,
  line: ClientLine,
  place: Place,
  { rendezvous, admission }: Context,
): Promise<Admittance> {
  const owned = message.owner === undefined ? null : await rendezvous.ownedBy(message.owner)
  let guess: Wanted | null = null
  if (owned === null) {
    if (place.isReserved || place.isGuest) return refused('E_SERVER_BUSY')
    const leave = await admission.mayHost(place.address, message.nameplate)
    if (!leave.isAllowed) return refused('E_RATE_LIMITED')
    guess = leave.guess
  }
  return line.isOwner(message)
    ? { refusal: null, owned, pass: null, guess }
    : { refusal: 'E_SERVER_PROTOCOL', closeCode: closeCodes.malformed }
}

/** A returning client has a bucket of its own, and takes nothing from those of strangers. Rejects as `admitHost`. */
export async function admitJoiner(
  { nameplate, pass }: Message<'join'>,
  place: Place,
  { rendezvous, admission }: Context,
): Promise<Admittance> {
  const id = pass === undefined ? null : await rendezvous.passOf(nameplate, pass)
  if (id !== null && (await admission.return(id)))
    return { refusal: null, owned: null, pass: id, guess: null }
  if (place.isReserved) return refused('E_SERVER_BUSY')
  const { isAllowed, guess } = await admission.mayJoin(place.address, nameplate)
  return isAllowed ? { refusal: null, owned: null, pass: null, guess } : refused('E_RATE_LIMITED')
}

/** Lets a stranger `look` at a nameplate for the `guess` that it took: only a miss counts as one. */
export async function lookFor(
  guess: Wanted,
  { id }: Place,
  admission: ConnectionContext['admission'],
  look: () => Promise<readonly Effect[]>,
): Promise<void> {
  let isMiss = false
  try {
    // The same look may find that others waited there long enough.
    isMiss = (await look()).some(
      (effect) => effect.type === 'refuse' && effect.to === id && effect.code === 'E_NO_SUCH_CODE',
    )
  } finally {
    // A store that is away by now ends no session that it had opened.
    if (!isMiss) admission.hit(guess).catch(() => undefined)
  }
}
