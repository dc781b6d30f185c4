// Ends TLS in front of a program on the same computer: tls-front.mjs HOST PORT CERTIFICATE KEY BACKEND-PORT.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createServer } from 'node:tls'

const [, , host, port, certificate, key, backend] = process.argv
const options = { cert: readFileSync(certificate), key: readFileSync(key) }
const server = createServer(options, (socket) => {
  const behind = connect(Number(backend), '127.0.0.1')
  const end = () => {
    socket.destroy()
    behind.destroy()
  }
  for (const one of [socket, behind]) one.on('error', end)
  socket.on('close', end)
  // The program's last bytes are passed on before that.
  behind.on('close', () => socket.end())
  socket.pipe(behind).pipe(socket)
})
server.listen(Number(port), host, () => console.log(`wss://${host}:${port}`))
