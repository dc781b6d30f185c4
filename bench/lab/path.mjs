// A path's effects on packets in the emulator's terms, and the highest payload rate that it allows.

/** Bytes of an Ethernet packet, and of its IPv4 and UDP headers. */
export const packetBytes = 1500
export const headerBytes = 28

/** A queue holds this much of the link's time, but never less than a few packets. */
const queueMilliseconds = 40
const minQueueBytes = 256 * 1024

/**
 * The numbers of a path: `rate` in Mbit/s on the wire; `loss` in percent each way, `burst` packets at a time; `jitter`,
 * which keeps the order; `queue` in bytes; `late`, the percentage of packets delayed by `lateBy` [min, max];
 * `serverRtt`, without which the server is midway. Times are in milliseconds; only `rtt` is required. Beyond these
 * options, `isSite` gives the places private addresses, as in networks of one site.
 */
export const pathOptions = ['rtt', 'rate', 'loss', 'burst', 'jitter', 'queue', 'late', 'serverRtt']

export const places = ['sender', 'receiver', 'server']

export const addressOf = (place, { isSite } = {}) =>
  `${isSite ? '10.66' : '198.18'}.${places.indexOf(place) + 1}.1`

/** Bits per second of payload in full-size packets at this rate; undefined without a rate. */
export const payloadLimit = ({ rate }) =>
  rate && (rate * 1e6 * (packetBytes - headerBytes)) / packetBytes

/** Returns the emulator's lines for a path. The legs to a server midway have half of its delay, jitter and loss. */
export function linkLines(path) {
  const leg = path.serverRtt === undefined ? path.rtt / 2 : path.serverRtt
  const line = (from, to, rtt, part) => {
    const options = {
      delay_us: (rtt / 2) * 1000,
      jitter_us: (path.jitter ?? 0) * part * 1000,
      loss: ((path.loss ?? 0) / 100) * part,
      loss_burst: path.burst ?? 1,
      ...(path.rate && { rate_bits: path.rate * 1e6, queue_bytes: queueOf(path) }),
      ...(path.late && {
        late: path.late / 100,
        late_least_us: path.lateBy[0] * 1000,
        late_most_us: path.lateBy[1] * 1000,
      }),
    }
    const words = Object.entries(options).map(([name, value]) => `${name}=${value}`)
    return `link ${from} ${to} ${words.join(' ')}`
  }
  const bothWays = (from, to, rtt, part) => [line(from, to, rtt, part), line(to, from, rtt, part)]
  return [
    ...bothWays('sender', 'receiver', path.rtt, 1),
    ...bothWays('sender', 'server', leg, 0.5),
    ...bothWays('receiver', 'server', leg, 0.5),
  ]
}

export const queueOf = ({ rate, queue }) =>
  queue ?? Math.max(minQueueBytes, (rate * 1e6 * queueMilliseconds) / 8000)

/** Describes a path, such as "100 ms, 300 Mbit/s, 0.2% lost". */
export function describePath(path) {
  if (!path) return 'two network namespaces linked directly'
  const { rtt, rate, loss, burst, jitter, queue, late, lateBy, serverRtt, isSite } = path
  return [
    `${rtt} ms`,
    isSite && 'within one site',
    rate && `${rate} Mbit/s`,
    loss && `${loss}% lost${burst > 1 ? ` ${burst} at a time` : ''}`,
    jitter && `${jitter} ms of jitter`,
    late && `${late}% late by ${lateBy.join(' to ')} ms`,
    queue && `a queue of ${queue} bytes`,
    serverRtt !== undefined && `${serverRtt} ms to the server`,
  ]
    .filter(Boolean)
    .join(', ')
}
