/** A socket that queries STUN servers, so that their views of it can be compared. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import type { Clock } from '#client/clock'
import {
  decodeStun,
  encodeStun,
  type Endpoint,
  methods,
  type StunAttribute,
  type StunMessage,
} from './stun-message'

/** Delays after which a request is repeated, because it or its answer may get lost. */
const againMs = [300, 800] as const

/** A server's answer. */
export type StunAnswer = {
  readonly message: StunMessage
  /** The source of the answer. */
  readonly from: Endpoint
  /** The time from the first request to the answer; after a loss, too long by at most the last resend's delay. */
  readonly ms: number
}

/** The content of a request. */
export type StunQuestion = {
  readonly method?: number
  readonly carried?: readonly StunAttribute[]
  readonly key?: Buffer
  readonly timeoutMs: number
  /** Accepts an answer from any place, instead of only the queried one. */
  readonly fromAnywhere?: true
}

/** A socket that sends STUN requests. */
export interface StunSocket {
  /** Returns `null` if no answer arrived in time, or nothing could be sent. */
  ask(endpoint: Endpoint, question: StunQuestion): Promise<StunAnswer | null>
  /** Sends a message without expecting an answer. */
  tell(endpoint: Endpoint, bytes: Buffer): void
  /** Passes on all messages that are not answers. */
  onOther(take: (message: StunMessage) => void): void
  readonly port: number
  close(): void
}

/** Opens a line; tests replace it. */
export type OpenStunSocket = (family: 4 | 6, clock: Clock) => Promise<StunSocket | null>

/** Opens a line over a UDP socket of the system. */
export const openStunSocket: OpenStunSocket = (family, clock) =>
  new Promise((resolve) => {
    const socket = createSocket(family === 4 ? { type: 'udp4' } : { type: 'udp6', ipv6Only: true })
    const waiting = new Map<string, (message: StunMessage, from: Endpoint) => void>()
    let takeOther: (message: StunMessage) => void = () => undefined
    let isOpen = true
    socket.on('error', () => resolve(null))
    socket.on('message', (bytes, { address, port }) => {
      const message = decodeStun(bytes)
      if (message === null) return
      const take = waiting.get(message.transaction.toString('hex'))
      if (take !== undefined && message.kind !== 'request') take(message, { host: address, port })
      else takeOther(message)
    })
    const send = (bytes: Buffer, { host, port }: Endpoint): void => {
      if (isOpen) socket.send(bytes, port, host, () => undefined)
    }
    const ask: StunSocket['ask'] = (
      endpoint,
      { method = methods.binding, carried, key, ...question },
    ) =>
      new Promise((answer) => {
        const transaction = randomBytes(12)
        const id = transaction.toString('hex')
        const bytes = encodeStun('request', method, transaction, carried, key)
        const begun = clock.now()
        const cancels: (() => void)[] = []
        const end = (found: StunAnswer | null): void => {
          waiting.delete(id)
          for (const cancel of cancels) cancel()
          answer(found)
        }
        waiting.set(id, (message, from) => {
          const isAsked = from.host === endpoint.host && from.port === endpoint.port
          if (!isAsked && question.fromAnywhere !== true) return
          end({ message, from, ms: clock.now() - begun })
        })
        cancels.push(clock.after(question.timeoutMs, () => end(null)))
        for (const delay of againMs) {
          if (delay < question.timeoutMs)
            cancels.push(clock.after(delay, () => send(bytes, endpoint)))
        }
        send(bytes, endpoint)
      })
    socket.bind(0, () =>
      resolve({
        ask,
        tell: (endpoint, bytes) => send(bytes, endpoint),
        onOther: (take) => {
          takeOther = take
        },
        port: socket.address().port,
        close: () => {
          isOpen = false
          socket.close()
        },
      }),
    )
  })
