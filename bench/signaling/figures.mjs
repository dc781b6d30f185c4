// Measurements of a signaling server; each returns rows for the table.
import { setTimeout as after } from 'node:timers/promises'
import { firstBox, Owner } from './client-keys.mjs'
import { atRate, each, nextAddress, said, spread } from './load.mjs'
import { pair } from './pairing.mjs'
import { ServerProcess } from './server-process.mjs'
import { SwarmSocket } from './swarm-socket.mjs'

export { storm } from './storm.mjs'

/** Idle sockets: half are hosts with an owner, half listen on ten mailboxes. */
export async function idle({ sockets }) {
  const server = await ServerProcess.thru({
    limits: { THRU_MAX_SESSIONS: '20000', THRU_MAX_WS_CONNECTIONS: '1000000' },
  })
  await after(1000)
  const before = server.residentMiB
  const held = []
  const mailboxes = Array.from({ length: 10 }, (_, index) => String(index).repeat(33).slice(0, 33))
  const failures = await each(sockets, 50, async (index) => {
    const socket = await SwarmSocket.open({ port: server.port, from: nextAddress() })
    held.push(socket)
    const greeting = await socket.take('welcome')
    if (index % 2 === 0) socket.send(new Owner().host(greeting))
    else {
      const own = mailboxes.map((mailbox) => mailbox + String(index).padStart(10, '0'))
      socket.send(firstBox(greeting, { t: 'listen', v: 1, mailboxes: own }))
    }
    await socket.take(index % 2 === 0 ? 'hosted' : 'listening')
  })
  server.cpuSeconds()
  await after(20_000)
  const cpu = server.cpuSeconds()
  const open = held.filter(({ ended }) => ended === null).length
  const after_ = server.residentMiB
  await server.stop()
  return [
    { what: 'idle sockets', value: open, note: said(failures) },
    { what: 'server memory without sockets', value: Math.round(before), unit: 'MiB' },
    { what: 'server memory with them', value: Math.round(after_), unit: 'MiB' },
    { what: 'per socket', value: (((after_ - before) * 1024) / open).toFixed(1), unit: 'KiB' },
    { what: 'CPU of one core, idle', value: ((100 * cpu) / 20).toFixed(1), unit: '%' },
  ]
}

/** Whole pairings over new sockets: as many as possible with 64 at a time, then at even rates. */
export async function pairings({ seconds, rates, profile, server: program }) {
  const server = await ServerProcess.thru({ profile, program })
  const pairing = () => pair(server.port, nextAddress(), nextAddress())
  await each(Infinity, 64, pairing, performance.now() + 3000)
  server.cpuSeconds()
  const times = []
  const beganAt = performance.now()
  const one = async () => times.push(await pairing())
  const failures = await each(Infinity, 64, one, beganAt + seconds * 1000)
  const took = (performance.now() - beganAt) / 1000
  const cpu = server.cpuSeconds()
  const rows = [
    {
      what: 'pairings per second, 64 at a time',
      value: Math.round(times.length / took),
      ...spread(times),
      cpu: Math.round((100 * cpu) / took),
      note: said(failures),
    },
    {
      what: 'server CPU time per pairing',
      value: ((cpu * 1e6) / times.length).toFixed(0),
      unit: 'µs',
    },
  ]
  for (const rate of rates) {
    server.cpuSeconds()
    const run = await atRate(rate, seconds, pairing)
    rows.push({
      what: `started at ${rate} per second: completed`,
      value: Math.round(run.times.length / run.took),
      ...(run.times.length > 0 ? spread(run.times) : {}),
      cpu: Math.round((100 * server.cpuSeconds()) / run.took),
      note: said(run.failures) + (run.unfinished > 0 ? ` ${run.unfinished} unfinished` : ''),
    })
  }
  rows.push({
    what: 'server memory afterwards',
    value: Math.round(server.residentMiB),
    unit: 'MiB',
  })
  await server.stop()
  return rows
}
