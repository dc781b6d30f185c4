// A minimal WebSocket, so that the server is the bottleneck, not the swarm. Frames are masked with zeros.
import { connect } from 'node:net'

const request = (path, host) =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    '\r\n',
  ].join('\r\n')

/** The n-th source address of a swarm, each in a different network for the server's limits. */
export const addressOf = (number) =>
  `127.${1 + (Math.floor(number / 256) % 254)}.${number % 256}.${1 + (Math.floor(number / 65_024) % 254)}`

/** A socket whose messages can be awaited in order. */
export class SwarmSocket {
  /** Unread text frames. */
  #texts = []
  #waiting = []
  #rest = null
  #isOpen = false
  #open
  /** The reason for its end; `null` while it is open. */
  ended = null

  /** Connects from `from` to `port`; resolves once the upgrade is accepted. */
  static open({ port, from, path = '/v1' }) {
    const socket = new SwarmSocket()
    return socket.#connect(port, from, path)
  }

  #connect(port, from, path) {
    return new Promise((resolve, reject) => {
      this.#open = { resolve, reject }
      const host = '127.0.0.1'
      this.tcp = connect({ host, port, localAddress: from, noDelay: true }, () =>
        this.tcp.write(request(path, `${host}:${port}`)),
      )
      this.tcp.on('data', (data) => this.#onData(data))
      this.tcp.on('error', (error) => this.#end(error.code))
      this.tcp.on('close', () => this.#end('closed'))
    })
  }

  send(text) {
    const payload = Buffer.from(text)
    const { length } = payload
    const wide = length > 125
    const frame = Buffer.alloc(length + (wide ? 8 : 6))
    frame[0] = 0x81
    if (wide) {
      frame[1] = 0x80 | 126
      frame.writeUInt16BE(length, 2)
    } else frame[1] = 0x80 | length
    payload.copy(frame, wide ? 8 : 6)
    if (!this.tcp.destroyed) this.tcp.write(frame)
  }

  /** Resolves with the next text; rejects when the socket ends. */
  next() {
    if (this.#texts.length > 0) return Promise.resolve(this.#texts.shift())
    if (this.ended !== null) return Promise.reject(new Error(this.ended))
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** Resolves with the next message, which must have type `t`. */
  async take(t) {
    const message = JSON.parse(await this.next())
    if (message.t !== t) throw new Error(`${message.t} ${message.code ?? ''} for ${t}`)
    return message
  }

  /** Resets the connection. */
  cut() {
    this.tcp.resetAndDestroy()
  }

  #onData(data) {
    let bytes = this.#rest === null ? data : Buffer.concat([this.#rest, data])
    if (!this.#isOpen) {
      const end = bytes.indexOf('\r\n\r\n')
      if (end === -1) {
        this.#rest = bytes
        return
      }
      const status = bytes.subarray(9, 12).toString('latin1')
      if (status !== '101') {
        this.#end(status)
        this.tcp.destroy()
        return
      }
      this.#isOpen = true
      this.#open.resolve(this)
      bytes = bytes.subarray(end + 4)
    }
    this.#rest = this.#frames(bytes)
  }

  /** Consumes whole frames; returns the rest. */
  #frames(bytes) {
    let at = 0
    while (bytes.length - at >= 2) {
      const short = bytes[at + 1] & 0x7f
      const head = short === 126 ? 4 : 2
      if (bytes.length - at < head) break
      const length = short === 126 ? bytes.readUInt16BE(at + 2) : short
      if (bytes.length - at < head + length) break
      const payload = bytes.subarray(at + head, at + head + length)
      const kind = bytes[at] & 0x0f
      if (kind === 1) this.#onText(payload.toString('latin1'))
      else if (kind === 8) this.#onClose(payload)
      else if (kind === 9 && !this.tcp.destroyed) {
        this.tcp.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]))
      }
      at += head + length
    }
    return at === bytes.length ? null : Buffer.from(bytes.subarray(at))
  }

  #onText(text) {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#texts.push(text)
    else waiting.resolve(text)
  }

  #onClose(payload) {
    const code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005
    const answer = Buffer.from([0x88, 0x82, 0, 0, 0, 0, code >> 8, code & 0xff])
    if (!this.tcp.destroyed) this.tcp.end(answer)
    this.#end(`close ${code}`)
  }

  #end(why) {
    if (this.ended !== null) return
    this.ended = why
    if (!this.#isOpen) this.#open.reject(new Error(why))
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(why))
  }
}
