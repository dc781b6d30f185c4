/**
 * Additional addresses of this computer's own server: those on the local network, and only while a
 * share is open to others there. Each address has its own listener, so that no public address is ever
 * open, and interfaces may change.
 */
import { createServer, type Server, type Socket } from 'node:net'

/** Local addresses and the peers that may connect to them. */
export type NetworkOptions = {
  /** This computer's addresses on local networks, with a zone if one is needed. */
  readonly addresses: () => readonly string[]
  /** True for a peer on a local network; other peers get no answer. */
  readonly isNear: (remote: string) => boolean
}

/** Maximum number of simultaneous guests on all addresses: a room full of receivers. */
export const maxGuests = 64

/** Maximum number of addresses to listen on; a computer with more has them for containers. */
const maxAddresses = 16

/** Interval of checks for changed addresses. */
const lookMs = 5000

/** The listeners, opened and closed by `set`. */
export class NetworkEntrance {
  readonly #options: NetworkOptions
  readonly #port: number
  readonly #onConnection: (socket: Socket) => void
  readonly #listeners = new Map<string, Server>()
  #guests = 0
  #isOpen = false
  #lookedAt = -Infinity

  /** `onConnection` gets each guest's socket. */
  constructor(options: NetworkOptions, port: number, onConnection: (socket: Socket) => void) {
    this.#options = options
    this.#port = port
    this.#onConnection = onConnection
  }

  /** Opens or closes the entrance; connected guests stay. */
  set(isOpen: boolean, now: number): void {
    if (isOpen === this.#isOpen) return
    this.#isOpen = isOpen
    if (isOpen) this.#look(now)
    else for (const address of [...this.#listeners.keys()]) this.#stop(address)
  }

  /** Call it about once a second. */
  tick(now: number): void {
    if (this.#isOpen && now - this.#lookedAt >= lookMs) this.#look(now)
  }

  #look(now: number): void {
    this.#lookedAt = now
    const addresses = new Set(this.#options.addresses().slice(0, maxAddresses))
    for (const address of [...this.#listeners.keys()]) {
      if (!addresses.has(address)) this.#stop(address)
    }
    for (const address of addresses) {
      if (!this.#listeners.has(address)) this.#listen(address)
    }
  }

  /** Listens on an address; after a failure, as for one about to disappear, the next check tries again. */
  #listen(host: string): void {
    const listener = createServer((socket) => this.#admit(socket))
    this.#listeners.set(host, listener)
    listener.on('error', () => this.#stop(host))
    listener.listen({ host, port: this.#port })
  }

  #stop(address: string): void {
    const listener = this.#listeners.get(address)
    this.#listeners.delete(address)
    listener?.close(() => undefined)
  }

  #admit(socket: Socket): void {
    const { remoteAddress = '' } = socket
    if (this.#guests >= maxGuests || !this.#options.isNear(remoteAddress)) {
      socket.destroy()
      return
    }
    this.#guests += 1
    socket.once('close', () => (this.#guests -= 1))
    this.#onConnection(socket)
  }
}
