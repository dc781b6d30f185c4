/** Questions to the router over UDP, of which only its own answers count. */
import { createSocket } from 'node:dgram'
import type { RouterPlace } from './router'

/** A datagram may get lost: it is sent again after these (RFC 6886 section 3.1). */
const againMs = [250, 750] as const
const timeoutMs = 1500

/** Where PCP and NAT-PMP are asked (RFC 6887 section 19, RFC 6886 section 3.1). */
export const mappingPort = 5351

type Question<T> = {
  readonly request: Buffer
  /** A group of the router's network; the router itself unless given. */
  readonly group?: { readonly host: string; readonly port: number }
  /** `null` for what is no answer to this. */
  readonly decode: (answer: Buffer) => T | null
}

/** What the router says; `null`: nothing that makes sense, in time. */
export const askRouter = <T>(
  { gateway, own, clock }: RouterPlace,
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
    // A port where nobody listens says so at once.
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
        // Not every interface has multicast.
        end(null)
      }
    })
  })

/** This computer's address on the way to `gateway`: only a socket that leads there knows it. `null`: no way does. */
export const ownAddressTowards = (gateway: string): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
    const end = (own: string | null): void => {
      socket.close()
      resolve(own)
    }
    socket.on('error', () => end(null))
    // Where no way leads, this is told why.
    socket.connect(mappingPort, gateway, (reason?: Error) => {
      end(reason === undefined ? socket.address().address : null)
    })
  })
