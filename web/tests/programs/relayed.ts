/** Sockets whose messages a test changes, as an evil or failing relay could. */
import type { OpenSocket, PageSocket } from '../../signaling/introduction'
import { openSocket } from './page-receiver'

/** Passes a message on, changed or not; `number` counts them. */
type Change = (
  bytes: Uint8Array<ArrayBuffer>,
  number: number,
  pass: (bytes: Uint8Array<ArrayBuffer>) => void,
  socket: PageSocket,
) => void

/** Opens sockets whose messages from a relay go through `change`. */
export const relayed =
  (change: Change): OpenSocket =>
  (url, protocols = []) => {
    const socket = openSocket(url, protocols)
    if (protocols.length === 0) return socket
    let number = 0
    return new Proxy(socket, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
      set: (target, key, value: unknown) => {
        if (key !== 'onmessage') return Reflect.set(target, key, value)
        const pass = (bytes: Uint8Array<ArrayBuffer>): void =>
          (value as (event: { data: unknown }) => void)({ data: bytes.slice().buffer })
        target.onmessage = ({ data }) => {
          number += 1
          change(new Uint8Array(data as ArrayBuffer), number, pass, target)
        }
        return true
      },
    })
  }

/** Opens sockets whose messages to a relay go through `change`. */
export const sentThrough =
  (change: Change): OpenSocket =>
  (url, protocols = []) => {
    const socket = openSocket(url, protocols)
    if (protocols.length === 0) return socket
    let number = 0
    const send = socket.send.bind(socket)
    socket.send = (data) => {
      number += 1
      change(new Uint8Array(data as Uint8Array<ArrayBuffer>), number, send, socket)
    }
    return socket
  }
