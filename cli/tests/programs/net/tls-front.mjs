// Ends TLS in front of a program: tls-front.mjs HOST PORT CERTIFICATE KEY BACKEND-PORT [BACKEND-HOST].
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createServer } from 'node:tls'

const [, , host, port, certificate, key, backend, backendHost = '127.0.0.1'] = process.argv
const options = { cert: readFileSync(certificate), key: readFileSync(key) }
const server = createServer(options, (socket) => {
  const behind = connect(Number(backend), backendHost)
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
