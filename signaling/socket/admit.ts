/** Decides if a client may host or join, in an order that keeps strangers cheap. */
import type { ErrorCode } from '#shared/errors'
import { type ClientMessage, type CloseCode, closeCodes } from '#shared/signaling/messages'
import type { Wanted } from '#signaling/limits/allowances'
import type { PassId } from '#signaling/rooms/passes'
import type { Effect } from '#signaling/rooms/rooms'
import type { ClientChannel } from '#signaling/socket/client-channel'
import type { ConnectionContext, ConnectionFacts } from '#signaling/socket/connection-context'

type Message<T> = Extract<ClientMessage, { readonly t: T }>

/** A refusal, or the result of the admission. */
export type Admittance =
  | { readonly refusal: ErrorCode; readonly closeCode: CloseCode }
  | {
      readonly refusal: null
      /** The nameplate that this owner already has. */
      readonly owned: string | null
      /** A valid pass of a joiner. */
      readonly pass: PassId | null
      /** The allowance taken for a stranger's look at a nameplate. */
      readonly guess: Wanted | null
    }

type Context = Pick<ConnectionContext, 'rendezvous' | 'admission'>

const refused = (refusal: ErrorCode): Admittance => ({ refusal, closeCode: closeCodes.refused })

/**
 * An owner without a nameplate is a stranger, whose proof is verified only if it may host. Rejects with a
 * `StoreError` while the store is unavailable.
 */
export async function admitHost(
  message: Message<'host'>,
  channel: ClientChannel,
  facts: ConnectionFacts,
  { rendezvous, admission }: Context,
): Promise<Admittance> {
  const owned = message.owner === undefined ? null : await rendezvous.ownedBy(message.owner)
  let guess: Wanted | null = null
  if (owned === null) {
    if (facts.isReserved || facts.isGuest || facts.isPage) return refused('E_SERVER_BUSY')
    const leave = await admission.mayHost(facts.address, message.nameplate)
    if (!leave.isAllowed) return refused('E_RATE_LIMITED')
    guess = leave.guess
  }
  return channel.isOwner(message)
    ? { refusal: null, owned, pass: null, guess }
    : { refusal: 'E_SERVER_PROTOCOL', closeCode: closeCodes.malformed }
}

/** A returning client has its own bucket, and takes nothing from strangers. Rejects like `admitHost`. */
export async function admitJoiner(
  { nameplate, pass }: Message<'join'>,
  facts: ConnectionFacts,
  { rendezvous, admission }: Context,
): Promise<Admittance> {
  const id = pass === undefined ? null : await rendezvous.passOf(nameplate, pass)
  if (id !== null && (await admission.return(id)))
    return { refusal: null, owned: null, pass: id, guess: null }
  if (facts.isReserved) return refused('E_SERVER_BUSY')
  const { isAllowed, guess } = await admission.mayJoin(facts.address, nameplate)
  return isAllowed ? { refusal: null, owned: null, pass: null, guess } : refused('E_RATE_LIMITED')
}

/** Runs a stranger's `look` at a nameplate; only a miss uses up its `guess`. */
export async function lookFor(
  guess: Wanted,
  { id }: ConnectionFacts,
  admission: ConnectionContext['admission'],
  look: () => Promise<readonly Effect[]>,
): Promise<void> {
  let isMiss = false
  try {
    // The same look may also expire other clients.
    isMiss = (await look()).some(
      (effect) => effect.type === 'refuse' && effect.to === id && effect.code === 'E_NO_SUCH_CODE',
    )
  } finally {
    // A failure of the store here must not end the session that it just opened.
    if (!isMiss) admission.hit(guess).catch(() => undefined)
  }
}
