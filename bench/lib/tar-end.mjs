// tar-end.mjs send|receive <address> <port> <folder> [name]: one end of `tar c | tar x`, directly on a TCP socket.
import { execFileSync, spawn } from 'node:child_process'
import { connect, createServer } from 'node:net'

const [direction, address, port, folder, name] = process.argv.slice(2)

const tar = (args, stdio) =>
  new Promise((resolve, reject) => {
    spawn('tar', ['-C', folder, ...args], { stdio }).on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`tar ended with ${code}`)),
    )
  })

if (direction === 'send') {
  const server = createServer({ pauseOnConnect: true }, async (socket) => {
    server.close()
    await tar(['-c', name], ['ignore', socket, 'inherit'])
    socket.end()
  })
  server.listen(Number(port), address, () => console.log('ready'))
} else {
  const socket = connect({ port: Number(port), host: address, onread: undefined })
  socket.pause()
  socket.once('connect', async () => {
    console.log('ready')
    await tar(['-x'], [socket, 'inherit', 'inherit'])
    execFileSync('sync', ['-f', folder])
    process.exit()
  })
}
