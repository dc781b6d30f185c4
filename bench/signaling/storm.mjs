// Owners that lose their sockets simultaneously and reclaim their nameplates.
import { setTimeout as after } from 'node:timers/promises'
import { Owner } from './client-keys.mjs'
import { each, nextAddress, said, spread } from './load.mjs'
import { ServerProcess } from './server-process.mjs'
import { SwarmSocket } from './swarm-socket.mjs'

const room = { THRU_MAX_SESSIONS: '20000', THRU_MAX_WS_CONNECTIONS: '1000000' }

/** Connects a client; a returning one must get its previous nameplate. */
async function attach(client, port) {
  client.socket = await SwarmSocket.open({ port, from: client.from })
  client.socket.send(client.owner.host(await client.socket.take('welcome')))
  const { nameplate } = await client.socket.take('hosted')
  if (client.nameplate !== undefined && client.nameplate !== nameplate) throw new Error('another')
  client.nameplate = nameplate
}

const newClients = (count) =>
  Array.from({ length: count }, () => ({ owner: new Owner(), from: nextAddress() }))

/** All clients return within five seconds, each at a random time, and retry a second after a refusal. */
async function comeBack(clients, port) {
  const beganAt = performance.now()
  const times = []
  const failures = {}
  const returns = clients.map(async (client) => {
    const startsAt = performance.now() + Math.random() * 5000
    await after(startsAt - performance.now())
    for (;;) {
      try {
        await attach(client, port)
        break
      } catch (error) {
        failures[error.message] = (failures[error.message] ?? 0) + 1
        if (performance.now() - beganAt > 120_000) return
        await after(1000)
      }
    }
    times.push(performance.now() - startsAt)
  })
  await Promise.all(returns)
  return { times, failures, took: (performance.now() - beganAt) / 1000 }
}

function rowsOf(what, { times, failures, took }, cpu, first) {
  return [
    {
      what: `${what} returning within 5 s; ${times.length} are back after`,
      value: took.toFixed(1),
      unit: 's',
      ...spread(times),
      cpu: Math.round((100 * cpu) / took),
      note: [said(first), said(failures)].filter(Boolean).join('; '),
    },
    {
      what: 'server CPU time per owner',
      value: ((cpu * 1e6) / times.length).toFixed(0),
      unit: 'µs',
    },
  ]
}

/** All sockets of a server break simultaneously. */
export async function storm({ sockets, server: program }) {
  const server = await ServerProcess.thru({ limits: room, program })
  const clients = newClients(sockets)
  const first = await each(sockets, 50, (index) => attach(clients[index], server.port))
  for (const { socket } of clients) socket?.cut()
  await after(3000)
  server.cpuSeconds()
  const back = await comeBack(clients, server.port)
  const rows = rowsOf(`${sockets} owners`, back, server.cpuSeconds(), first)
  await server.stop()
  return rows
}
