// The process of the attackers: each holds a socket as long as the server lets it, talks once a second, and comes again.
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { setTimeout as after } from 'node:timers/promises'
import { addressOf, SwarmSocket } from './swarm-socket.mjs'

const comingMs = 60_000
const stray = JSON.stringify({ t: 'relay', to: '0123456789abcdef', body: 'A'.repeat(2000) })

// The honest clients have the same core, and are not to wait for these.
setPriority(10)
const [{ port, count, nameplates }] = await once(process, 'message')
const held = new Set()
let refused = 0
let said = 0

/** Addresses that no honest client has. */
const address = (index) => addressOf(1_000_000 + index)

async function attack(index) {
  const socket = await SwarmSocket.open({ port, from: address(index) })
  held.add(socket)
  try {
    await socket.take('welcome')
    const kind = index % 8
    const nameplate =
      kind === 0 ? '999999' : nameplates[Math.floor(Math.random() * nameplates.length)]
    socket.send(kind === 1 ? 'no message' : JSON.stringify({ t: 'join', v: 1, nameplate }))
    // They don't care for what they are told.
    while (socket.ended === null) {
      await after(500 + Math.random() * 1000)
      socket.send(stray)
      said += 1
    }
  } finally {
    held.delete(socket)
  }
}

for (let index = 0; index < count; index += 1) {
  void (async () => {
    await after((index / count) * comingMs)
    for (;;) {
      await attack(index).catch(() => (refused += 1))
      await after(5000)
    }
  })()
}
setTimeout(() => process.send('here'), comingMs + 5000)
process.on('message', () => process.send({ open: held.size, refused, said }))
