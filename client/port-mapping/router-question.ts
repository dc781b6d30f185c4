/** Queries the router over UDP; answers from other addresses are ignored. */
import { createSocket } from 'node:dgram'
import type { RouterEndpoint } from './router'

/** Delays after which a datagram is repeated, because it may get lost (RFC 6886, section 3.1). */
const againMs = [250, 750] as const
const timeoutMs = 1500

/** The port for PCP and NAT-PMP (RFC 6887, section 19; RFC 6886, section 3.1). */
export const mappingPort = 5351

type Question<T> = {
  readonly request: Buffer
  /** A multicast group of the router's network; the router itself by default. */
  readonly group?: { readonly host: string; readonly port: number }
  /** Returns `null` if the datagram is not an answer to this request. */
  readonly decode: (answer: Buffer) => T | null
}

/** The router's answer; `null` if no valid one arrived in time. */
export const askRouter = <T>(
  { gateway, own, clock }: RouterEndpoint,
  { request, group, decode }: Question<T>,
): Promise<T | null> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4').unref()
    const cancels: (() => void)[] = []
    let isOpen = true
    const end = (found: T | null): void => {
      if (!isOpen) return
      isOpen = false
      for (const cancel of cancels) cancel()
      socket.close()
      resolve(found)
    }
    const send = (): void => {
      if (!isOpen) return
      if (group === undefined) socket.send(request, () => undefined)
      else socket.send(request, group.port, group.host, () => undefined)
    }
    const start = (reason?: Error): void => {
      if (reason !== undefined) {
        end(null)
        return
      }
      send()
      for (const delayMs of againMs) cancels.push(clock.after(delayMs, send))
    }
    // A closed port reports an error immediately.
    socket.on('error', () => end(null))
    socket.on('message', (answer, { address }) => {
      const found = address === gateway ? decode(answer) : null
      if (found !== null) end(found)
    })
    cancels.push(clock.after(timeoutMs, () => end(null)))
    socket.bind(0, own, () => {
      if (group === undefined) {
        socket.connect(mappingPort, gateway, start)
        return
      }
      try {
        socket.setMulticastInterface(own)
        start()
      } catch {
        // Not every interface supports multicast.
        end(null)
      }
    })
  })

/** This computer's address on the way to `gateway`, learned from a connected socket; `null` if there is no route. */
export const ownAddressTowards = (gateway: string): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
    const end = (own: string | null): void => {
      socket.close()
      resolve(own)
    }
    socket.on('error', () => end(null))
    // Without a route, `reason` is given here.
    socket.connect(mappingPort, gateway, (reason?: Error) =>
      end(reason === undefined ? socket.address().address : null),
    )
  })
