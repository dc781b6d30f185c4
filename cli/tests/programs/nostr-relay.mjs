// A Nostr relay for tests: @nostr-relay/core behind ws, and over TLS if a certificate and its key are named. It stores
// nothing. It prints its address, and a line for each connection and event. It loses this percentage of events.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { EventRepository } from '@nostr-relay/common'
import { NostrRelay } from '@nostr-relay/core'
import { WebSocketServer } from 'ws'

class Nothing extends EventRepository {
  isSearchSupported = () => false
  upsert = () => ({ isDuplicate: false })
  find = () => []
  destroy = () => Promise.resolve()
}

const [, , host = '127.0.0.1', port = '0', certificate, key, lost = '0'] = process.argv
const relay = new NostrRelay(new Nothing())
const server =
  certificate === undefined
    ? createServer()
    : createTlsServer({ cert: readFileSync(certificate), key: readFileSync(key) })
new WebSocketServer({ server }).on('connection', (socket) => {
  console.log('connection')
  relay.handleConnection(socket, '127.0.0.1')
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message[0] === 'EVENT') {
      console.log('event', message[1].kind)
      if (Math.random() * 100 < Number(lost)) return
    }
    void relay.handleMessage(socket, message)
  })
  socket.on('close', () => relay.handleDisconnect(socket))
  socket.on('error', () => undefined)
})
const scheme = certificate === undefined ? 'ws' : 'wss'
server.listen(Number(port), host, () => console.log(`${scheme}://${host}:${server.address().port}`))
