/** Accepts TLS on `HOST:PORT` with a certificate and key, and forwards the content: `HOST:PORT CERTIFICATE KEY HOST:PORT`. */
const { readFileSync } = require('node:fs')
const { connect } = require('node:net')
const { createServer } = require('node:tls')

const [at, cert, key, to] = process.argv.slice(2)
const place = (text) => {
  const [host, port] = text.split(':')
  return { host, port: Number(port) }
}

const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (client) => {
  const behind = connect(place(to))
  for (const [one, other] of [
    [client, behind],
    [behind, client],
  ]) {
    one.pipe(other)
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
})
server.listen(place(at), () => process.stdout.write('listening\n'))
