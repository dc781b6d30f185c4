/**
 * The rate of a relay. This computer sends to its own relayed address, and counts the bytes that return within a second
 * of the first datagram.
 */
import type { Clock } from '#client/clock'
import { mayBeWrittenTo } from './endpoints'
import {
  attributes,
  type Endpoint,
  endpointIn,
  maskedEndpoint,
  methods,
  type StunAttribute,
} from './stun-message'
import type { OpenStunSocket, StunAnswer, StunSocket } from './stun-socket'

const measureMs = 1000
/** A relay that is silent this long returns nothing at all. */
const patienceMs = 5000
/** Sending restarts after an interval in which nothing returned. */
const stallMs = 200
const payloadBytes = 1000
/** Datagrams in flight: the window grows with each arrival, as in TCP's slow start, and halves on loss. */
const firstWindow = 16
const maxWindow = 2048

/** A working allocation. */
export type Allocation = {
  readonly relayed: Endpoint
  /** Sends another signed request. */
  readonly ask: (method: number, carried: readonly StunAttribute[]) => Promise<StunAnswer | null>
}

/**
 * Bytes per second; `null` if UDP is blocked, only IPv6 exists, or the relay admits nothing from here or claims to be
 * in this network.
 */
export async function measureRelay({
  socket,
  endpoint,
  allocation: { relayed, ask },
  open,
  clock,
}: {
  readonly socket: StunSocket
  readonly endpoint: Endpoint
  readonly allocation: Allocation
  readonly open: OpenStunSocket
  readonly clock: Clock
}): Promise<number | null> {
  if (relayed.host.includes(':') || !mayBeWrittenTo(relayed, endpoint)) return null
  const source = await open(4, clock)
  if (source === null) return null
  try {
    const seen = await source.ask(endpoint, { timeoutMs: 500 })
    const from = seen === null ? null : endpointIn(seen.message, attributes.mappedAddress)
    if (from === null) return null
    const permitted = await ask(methods.createPermission, [
      [attributes.peerAddress, maskedEndpoint(from)],
    ])
    if (permitted?.message.kind !== 'success') return null
    return await countArrivals(socket, source, relayed, clock)
  } finally {
    source.close()
  }
}

function countArrivals(
  socket: StunSocket,
  source: StunSocket,
  relayed: Endpoint,
  clock: Clock,
): Promise<number | null> {
  return new Promise((resolve) => {
    let [sent, arrived, highest, window] = [0, 0, 0, firstWindow]
    let underWay = 0
    let stalled = 0
    let begun = clock.now()
    const fill = (): void => {
      while (underWay < window) {
        const payload = Buffer.alloc(payloadBytes)
        payload.writeUInt32BE((sent += 1), 0)
        source.tell(relayed, payload)
        underWay += 1
      }
    }
    socket.onOther(({ method, kind, attributes: carried }) => {
      const data = carried.get(attributes.data)
      if (method !== methods.data || kind !== 'indication' || data?.length !== payloadBytes) return
      const number = data.readUInt32BE(0)
      if (arrived === 0) begun = clock.now()
      arrived += 1
      const lost = Math.max(0, number - highest - 1)
      highest = Math.max(highest, number)
      underWay = Math.max(0, underWay - 1 - lost)
      window = lost > 0 ? Math.max(firstWindow, window >> 1) : Math.min(window + 1, maxWindow)
      fill()
    })
    const turn = (): void => {
      const tookMs = clock.now() - begun
      if (tookMs >= (arrived === 0 ? patienceMs : measureMs)) {
        resolve(arrived === 0 ? null : Math.round((arrived * payloadBytes * 1000) / tookMs))
        return
      }
      if (stalled === arrived) {
        underWay = 0
        window = firstWindow
      }
      stalled = arrived
      fill()
      clock.after(stallMs, turn)
    }
    turn()
  })
}
