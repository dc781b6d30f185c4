// tls-front.mjs ADDRESS PORT KEY CERTIFICATE TARGET: TLS in front of a server's port, as an operator's reverse proxy.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createServer } from 'node:tls'

const [address, port, key, certificate, target] = process.argv.slice(2)
const identity = { key: readFileSync(key), cert: readFileSync(certificate) }
createServer(identity, (client) => {
  const inner = connect(Number(target), address)
  for (const socket of [client, inner]) {
    socket.setNoDelay(true)
    socket.on('error', () => {
      client.destroy()
      inner.destroy()
    })
  }
  client.pipe(inner).pipe(client)
}).listen(Number(port), address)
