// Hours of a server's life in minutes.
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { build } from 'esbuild'
import { root } from '../../scripts/lib/cache.mjs'
import { Owner } from './client-keys.mjs'
import { atRate, each, nextAddress, said } from './load.mjs'
import { thruHost, thruJoin } from './pairing.mjs'
import { ServerProcess } from './server-process.mjs'
import { SwarmSocket } from './swarm-socket.mjs'

/** The server with a clock that runs faster, so that hours of its life pass in minutes. */
async function soakEntry(speed) {
  const outfile = join(root, 'out', 'signaling', 'soak.cjs')
  const contents = `
    import { systemClock } from '#signaling/clock'
    import { startSignalingServer } from '#signaling/server'
    const began = Date.now()
    const fast = (time) => began + (time - began) * ${speed}
    const clock = {
      now: () => fast(systemClock.now()),
      wallTime: () => fast(systemClock.wallTime()),
      after: (ms, run) => systemClock.after(ms / ${speed}, run),
    }
    const port = Number(process.argv[process.argv.indexOf('--port') + 1])
    const much = 100_000
    startSignalingServer({
      host: '127.0.0.1', port, clock, maxWsConnections: 1_000_000, maxSessions: 300_000,
      wsConnectionsPerMin: much, wsConnectionsBurst: much, sessionCreatesPerMin: much,
      sessionCreatesBurst: much, joinsPerMin: much, joinsBurst: much,
    })
    setInterval(() => { globalThis.gc(); globalThis.gc() }, 5000)
  `
  await build({
    ...{ absWorkingDir: root, outfile, bundle: true, platform: 'node', format: 'cjs' },
    stdin: { contents, resolveDir: root, loader: 'ts', sourcefile: 'soak.ts' },
    loader: { '.html': 'text', '.md': 'text' },
    external: ['bufferutil', 'utf-8-validate'],
  })
  return outfile
}

/** Owners that come, pair and go for hours of the server's clock beside some that stay; memory after collections. */
export async function soak({ seconds, rates: [rate = 200] }) {
  const speed = 60
  const entry = ['--expose-gc', await soakEntry(speed)]
  const server = await ServerProcess.thru({ args: [], entry })
  const clients = Array.from({ length: 500 }, () => ({ owner: new Owner(), isBusy: false }))
  const idle = []
  // One after the other: the server's five seconds for an upgrade are a moment here.
  await each(200, 1, async () => {
    idle.push((await thruHost(server.port, nextAddress())).socket)
  })
  const visit = async () => {
    const client = clients[Math.floor(Math.random() * clients.length)]
    if (client.isBusy) return 0
    client.isBusy = true
    try {
      const socket = await SwarmSocket.open({ port: server.port, from: nextAddress() })
      socket.send(client.owner.host(await socket.take('welcome')))
      const { nameplate } = await socket.take('hosted')
      const joiner = await thruJoin(server.port, nextAddress(), { socket, nameplate })
      joiner.cut()
      await socket.take('gone')
      socket.cut()
      return 1
    } finally {
      client.isBusy = false
    }
  }
  const rows = []
  const parts = 8
  for (let part = 1; part <= parts; part += 1) {
    const run = await atRate(rate, seconds / parts, visit)
    await after(6000)
    rows.push({
      what: `after ${((speed * (seconds / parts + 6) * part) / 3600).toFixed(1)} h of its clock`,
      value: server.residentMiB.toFixed(1),
      unit: 'MiB',
      note: [`${run.times.filter((each_) => each_ > 0).length} pairings`, said(run.failures)]
        .filter(Boolean)
        .join(', '),
    })
  }
  const staying = idle.filter(({ ended }) => ended === null).length
  rows.push({ what: `of ${idle.length} that only answered pings, still there`, value: staying })
  await server.stop()
  return rows
}
