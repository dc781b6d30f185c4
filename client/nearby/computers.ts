/** The computers that announce themselves on the local network, with the addresses at which they can be called. */
import type { Clock } from '#client/clock'
import type { FoundServer, NearNetwork } from '#client/lan/local-network'
import { decodeComputer, type MarkKeys, markOf } from '#client/nearby/computer-announcement'
import { limits } from '#shared/limits'
import type { ContactId } from '#shared/state/contacts'
import type { NearbyComputer, NearbyId } from '#shared/state/nearby'

/** A contact by whose marks its computers are recognized. */
export type MarkedContact = MarkKeys & { readonly id: ContactId; readonly name: string }

/** Dependencies of `NearbyComputers`. */
export type NearbyComputersOptions = {
  readonly network: NearNetwork
  readonly clock: Clock
  readonly contacts: () => readonly MarkedContact[]
  /** True for an announcement of this program. */
  readonly isOwn: (instance: string) => boolean
  readonly onChange: (computers: readonly NearbyComputer[]) => void
}

/** A computer, and how to call it. */
export type FoundComputer = NearbyComputer & {
  /** The nameplate that it hosts at each of its servers. */
  readonly door: string
  readonly servers: readonly FoundServer[]
  /** The mark by which its contact was recognized. */
  readonly mark: string | null
}

type Heard = {
  readonly name: string | null
  readonly door: string
  readonly marks: readonly string[]
  readonly servers: readonly FoundServer[]
  readonly match: Match | null
  readonly cancel: () => void
}

/** The contact whose mark an announcement has. */
type Match = { readonly contact: MarkedContact; readonly mark: string }

/** A computer repeats its announcement every minute; two that got lost end it. */
const lifetimeMs = 150_000

/** Limits the addresses of one computer, and the computers at one address. */
const maxServers = 4
const maxAtAddress = 4

/** Each client has one; it listens while it browses. */
export class NearbyComputers {
  readonly #options: NearbyComputersOptions
  readonly #heard = new Map<NearbyId, Heard>()
  #stopBrowsing: (() => void) | null = null
  #reported = '[]'

  constructor(options: NearbyComputersOptions) {
    this.#options = options
  }

  /** All of them: contacts first, then by name. */
  get all(): readonly FoundComputer[] {
    const found = [...this.#heard].flatMap(([id, { name, door, servers, match }]) => {
      const shown = match?.contact.name ?? name
      const contact = match === null ? {} : { contact: match.contact.id }
      return shown === null
        ? []
        : [{ id, name: shown, door, servers, mark: match?.mark ?? null, ...contact }]
    })
    return found.sort(
      (a, b) => Number(b.mark !== null) - Number(a.mark !== null) || a.name.localeCompare(b.name),
    )
  }

  find(id: NearbyId): FoundComputer | undefined {
    return this.all.find((one) => one.id === id)
  }

  /** Begins or ends browsing; without it the list is empty. */
  browse(isWanted: boolean): void {
    if (isWanted === (this.#stopBrowsing !== null)) return
    if (!isWanted) {
      this.#stopBrowsing?.()
      this.#stopBrowsing = null
      for (const { cancel } of this.#heard.values()) cancel()
      this.#heard.clear()
      this.#report()
      return
    }
    this.#stopBrowsing = this.#options.network.browse({
      onAnnouncement: ({ instance, texts }, server) => {
        const computer = decodeComputer(texts)
        if (computer !== null) this.#hear(instance as NearbyId, computer, server)
      },
      onWithdrawn: (instance) => this.#forget(instance as NearbyId),
    })
  }

  /** Call it when contacts have changed. */
  refresh(): void {
    for (const [id, heard] of this.#heard) {
      this.#heard.set(id, { ...heard, match: this.#matchOf(id, heard.marks) })
    }
    this.#report()
  }

  #matchOf(id: NearbyId, marks: readonly string[]): Match | null {
    for (const contact of this.#options.contacts()) {
      const mark = markOf(contact, id)
      if (marks.includes(mark)) return { contact, mark }
    }
    return null
  }

  #report(): void {
    const computers = this.all.map(({ id, name, contact }) => ({
      id,
      name,
      ...(contact && { contact }),
    }))
    const text = JSON.stringify(computers)
    if (text === this.#reported) return
    this.#reported = text
    this.#options.onChange(computers)
  }

  #hear(
    id: NearbyId,
    { name, door, marks }: Pick<Heard, 'name' | 'door' | 'marks'>,
    server: FoundServer,
  ): void {
    const before = this.#heard.get(id)
    if (this.#options.isOwn(id) || (before === undefined && !this.#hasRoom(server))) return
    before?.cancel()
    const others = (before?.servers ?? []).filter((one) => keyOf(one) !== keyOf(server))
    // The address that was heard first stays first.
    const isKnown = before?.servers.some((one) => keyOf(one) === keyOf(server)) === true
    const servers = isKnown ? before.servers : [...others, server].slice(0, maxServers)
    const cancel = this.#options.clock.after(lifetimeMs, () => this.#forget(id))
    const isSame = before?.marks.join() === marks.join()
    const match = isSame ? before.match : this.#matchOf(id, marks)
    this.#heard.set(id, { name, door, marks, servers, match, cancel })
    this.#report()
  }

  /** One computer can't fill the list. */
  #hasRoom(server: FoundServer): boolean {
    const same = [...this.#heard.values()].filter(({ servers }) =>
      servers.some((one) => keyOf(one) === keyOf(server)),
    )
    return this.#heard.size < limits.nearbyComputers && same.length < maxAtAddress
  }

  #forget(id: NearbyId): void {
    this.#heard.get(id)?.cancel()
    if (this.#heard.delete(id)) this.#report()
  }
}

const keyOf = ({ url, dial }: FoundServer): string => `${url} ${dial?.host ?? ''}`
