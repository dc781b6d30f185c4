/**
 * Nearby computers of a client: the list of those that can be called, this computer's own door, and calls in both
 * directions (docs/nearby.md).
 */
import type { Clock } from '#client/clock'
import type { NearNetwork } from '#client/lan/local-network'
import type { SharePlace } from '#client/nearby/call-messages'
import { type MarkKeys, markOf } from '#client/nearby/computer-announcement'
import { type MarkedContact, NearbyComputers } from '#client/nearby/computers'
import { IncomingCalls } from '#client/nearby/incoming-calls'
import {
  deliverInvitation,
  OutgoingCall,
  type OutgoingCallOptions,
} from '#client/nearby/outgoing-call'
import { OwnDoor } from '#client/nearby/own-door'
import type { NewEvent } from '#client/state/state-log'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import type { Visibility } from '#shared/settings/visibility'
import type { ReceiveId } from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import type { NearbyCall, NearbyId } from '#shared/state/nearby'

/** Dependencies of `Nearby`. */
export type NearbyOptions = {
  readonly network: NearNetwork
  readonly clock: Clock
  readonly random: () => number
  /** This computer's name. */
  readonly name: () => string
  /** The people that may see and call this computer now. */
  readonly visibility: () => Visibility
  /** The people that may ask this program at most; `off` for a program that does not receive. */
  readonly receives: Visibility
  readonly contacts: () => readonly MarkedContact[]
  /** Returns the key shared with each contact, and this side's public key there. */
  readonly ownMarks: () => readonly (MarkKeys & { readonly id: ContactId })[]
  /** Reads a contact's sealed invitation; false if the contact did not seal it. */
  readonly onInvitation: (contact: ContactId, body: string) => boolean
  readonly onShare: (place: SharePlace, safety: string) => ReceiveId | undefined
  readonly record: (event: NewEvent) => void
}

/** Each client has one. It is idle until `browse`, or `apply` if the program receives. */
export class Nearby {
  readonly #options: NearbyOptions
  readonly #computers: NearbyComputers
  readonly #door: OwnDoor
  readonly #calls: IncomingCalls
  #isBrowsing = false
  #isClosed = false

  constructor(options: NearbyOptions) {
    const { network, clock, random, contacts, record } = options
    this.#options = options
    this.#computers = new NearbyComputers({
      ...{ network, clock, contacts },
      isOwn: (instance) => instance === this.#door.instance,
      onChange: (computers) => record({ type: 'nearby-changed', computers }),
    })
    this.#calls = new IncomingCalls({
      clock,
      send: (message) => this.#door.send(message),
      isOpen: () => this.#openTo === 'everyone',
      onInvitation: (mark, body) => this.#onInvitation(mark, body),
      onShare: options.onShare,
      record,
    })
    this.#door = new OwnDoor({
      ...{ network, clock, random },
      name: () => (this.#openTo === 'everyone' ? options.name() : null),
      marks: options.ownMarks,
      onMessage: (message) => this.#calls.onServer(message),
      onLost: () => this.#calls.endAll(),
      isBusy: () => this.#calls.isBusy,
    })
  }

  /** Begins or ends the list of computers. */
  browse(isWanted: boolean): void {
    this.#isBrowsing = isWanted
    this.apply()
  }

  /** Call it when the visibility, this computer's name or the contacts may have changed. */
  apply(): void {
    const isOn = !this.#isClosed && this.#options.visibility() !== 'off'
    this.#computers.browse(isOn && this.#isBrowsing)
    this.#computers.refresh()
    if (isOn && this.#openTo !== 'off') {
      this.#door.open()
      this.#door.announce()
    } else void this.#door.close()
  }

  /** Makes a call to a computer. Error: `E_BAD_ARGUMENT` if it is no longer there. */
  call(
    id: NearbyId,
    summary: () => string,
    onChange: (call: NearbyCall) => void,
  ): Result<OutgoingCall, AppError> {
    const computer = this.#computers.find(id)
    if (computer === undefined) return err(notThere)
    const { clock, random, name } = this.#options
    const options: OutgoingCallOptions = {
      clock,
      random,
      computer,
      name: name(),
      summary,
      onChange,
    }
    return ok(new OutgoingCall(options))
  }

  /** Delivers a sealed invitation to a contact's computers that are nearby; true if one has received it. */
  async invite(contact: ContactId, body: string): Promise<boolean> {
    const there = this.#computers.all.filter((one) => one.contact === contact)
    const received = await Promise.all(
      there.map((computer) => deliverInvitation(this.#options, computer, body)),
    )
    return received.includes(true)
  }

  /** A person's answer to a question. Error: `E_BAD_ARGUMENT` if it is no longer open. */
  answer(id: string, isAccepted: boolean): Result<null, AppError> {
    return this.#calls.answer(id, isAccepted) ? ok(null) : err(notOpen)
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    this.#door.onWake()
  }

  /** Resolves when all sockets are closed. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#calls.endAll()
    this.apply()
    await this.#door.close()
  }

  /** The people that may call now. */
  get #openTo(): Visibility {
    const { visibility, receives } = this.#options
    return receives === 'everyone' ? visibility() : visibility() === 'off' ? 'off' : receives
  }

  #onInvitation(mark: string, body: string): boolean {
    const { ownMarks, onInvitation } = this.#options
    const contact = ownMarks().find((one) => markOf(one, this.#door.instance) === mark)
    return contact !== undefined && onInvitation(contact.id, body)
  }
}

const notThere = appError('E_BAD_ARGUMENT', 'This computer is no longer nearby.')
const notOpen = appError('E_BAD_ARGUMENT', 'This is no longer offered.')
