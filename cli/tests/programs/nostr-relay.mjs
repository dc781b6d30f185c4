// A Nostr relay for tests: @nostr-relay/core behind ws. It stores nothing. It prints its address, and a line for each
// connection and event.
import { createServer } from 'node:http'
import { EventRepository } from '@nostr-relay/common'
import { NostrRelay } from '@nostr-relay/core'
import { WebSocketServer } from 'ws'

class Nothing extends EventRepository {
  isSearchSupported = () => false
  upsert = () => ({ isDuplicate: false })
  find = () => []
  destroy = () => Promise.resolve()
}

const [, , host = '127.0.0.1', port = '0'] = process.argv
const relay = new NostrRelay(new Nothing())
const server = createServer()
new WebSocketServer({ server }).on('connection', (socket) => {
  console.log('connection')
  relay.handleConnection(socket, '127.0.0.1')
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message[0] === 'EVENT') console.log('event', message[1].kind)
    void relay.handleMessage(socket, message)
  })
  socket.on('close', () => relay.handleDisconnect(socket))
  socket.on('error', () => undefined)
})
server.listen(Number(port), host, () => console.log(`ws://${host}:${server.address().port}`))
