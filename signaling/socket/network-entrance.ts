/**
 * More addresses at which a server of this computer listens: those of the local network, and only
 * while something is hosted that others there may join. Each is listened at by itself, so that no
 * public address of this computer is ever open, and interfaces may come and go.
 */
import { createServer, type Server, type Socket } from 'node:net'

/** Who comes in from the network, and where. */
export type NetworkOptions = {
  /** This computer's addresses on local networks, with a zone where one is needed. */
  readonly addresses: () => readonly string[]
  /** Whether a peer at this address is on a local network; others are not even answered. */
  readonly isNear: (remote: string) => boolean
}

/** Guests at one moment, at all addresses: a room full of receivers. */
export const maxGuests = 64

/** At these few it listens; a computer with more has them for containers. */
const maxAddresses = 16

/** How often it is looked whether addresses have come or gone. */
const lookMs = 5000

/** Opened and closed with `set`. */
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

  /** Opens or closes it; who is in stays. */
  set(isOpen: boolean, now: number): void {
    if (isOpen === this.#isOpen) return
    this.#isOpen = isOpen
    if (isOpen) this.#look(now)
    else for (const address of [...this.#listeners.keys()]) this.#stop(address)
  }

  /** Called about once a second. */
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

  /** Where it can't listen, such as at an address that is just being given up, it tries again at the next look. */
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
