/**
 * Opens sockets in another network for a test outside of it: on messages from the parent process, it binds UDP sockets,
 * sends from them, and reports incoming data. It ends with its parent.
 */
const { createSocket } = require('node:dgram')

const sockets = new Map()

const tell = (message) => process.send(message, () => undefined)

process.on('disconnect', () => process.exit(0))
process.on('message', ({ ask, id, family, address, port, data }) => {
  if (ask === 'bind') {
    const socket = createSocket(family === 6 ? { type: 'udp6', ipv6Only: true } : 'udp4')
    socket.on('error', (error) => tell({ told: 'error', id, why: error.message }))
    socket.on('message', (bytes) => tell({ told: 'message', id, data: bytes.toString('base64') }))
    socket.bind(port, address, () => tell({ told: 'bound', id, port: socket.address().port }))
    sockets.set(id, socket)
  } else if (ask === 'send') {
    sockets.get(id).send(Buffer.from(data, 'base64'), port, address)
  }
})
