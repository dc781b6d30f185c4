// Honest pairings beside a swarm of attackers, which is a process of its own: what it takes of the processor is not in
// the honest clients' turns.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atRate, each, nextAddress, said, spread } from './load.mjs'
import { thruHost, thruJoin } from './pairing.mjs'
import { ServerProcess } from './server-process.mjs'

/** A server of a usual machine: its rates in all are those of any operator. */
const usualRoom = ['--max-sessions', '20000', '--max-ws-connections', '20000']

/** Attackers of this server. Resolves when all have had the time to come. */
async function startAttackers(port, count, nameplates) {
  const child = fork(fileURLToPath(new URL('attackers.mjs', import.meta.url)))
  process.once('exit', () => child.kill('SIGKILL'))
  child.send({ port, count, nameplates })
  await once(child, 'message')
  return child
}

/** What the attackers say of themselves. */
async function ask(child) {
  child.send('look')
  const [counts] = await once(child, 'message')
  return counts
}

/** Pairings of honest hosts that are there, while attackers hold sockets and say what they may. */
export async function attack({ attackers, pairs, seconds, server: program }) {
  const server = await ServerProcess.thru({ args: usualRoom, program })
  const hosts = []
  // The server takes some fifty hosts a second; so they come in their time.
  const opened = await each(pairs, 20, async () => {
    hosts.push(await thruHost(server.port, nextAddress()))
  })
  const measure = async (rate) => {
    let next = 0
    server.cpuSeconds()
    const run = await atRate(rate, seconds, async () => {
      const beganAt = performance.now()
      next += 1
      await thruJoin(server.port, nextAddress(), hosts[next % hosts.length], true)
      return performance.now() - beganAt
    })
    return {
      value: run.times.length,
      ...spread(run.times),
      cpu: Math.round((100 * server.cpuSeconds()) / run.took),
      note: said(run.failures) + (run.unfinished > 0 ? ` ${run.unfinished} unfinished` : ''),
    }
  }
  const alone = await measure(50)
  const nameplates = hosts.map(({ nameplate }) => nameplate)
  const swarm = await startAttackers(server.port, attackers, nameplates)
  const before = await ask(swarm)
  const under = await measure(50)
  const behind = await ask(swarm)
  swarm.kill('SIGKILL')
  await after(1000)
  await server.stop()
  return [
    { what: 'honest pairings without attackers', ...alone, note: said(opened) },
    {
      what: 'attackers at one moment',
      value: before.open,
      note: `${behind.refused} times refused, ${behind.said} messages`,
    },
    { what: 'honest pairings beside them', ...under },
  ]
}
