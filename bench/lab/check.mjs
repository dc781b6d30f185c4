#!/usr/bin/env node
// check.mjs: whether the emulator does what it is told. Round trips come from ping, loss and rates from raw datagrams.
// Linux, root, iputils-ping.
import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { Failure, runMain } from '../../scripts/lib/failure.mjs'
import { inWorld } from '../lib/world.mjs'
import { makeNetwork } from './network.mjs'
import { payloadLimit } from './path.mjs'
import { Place, removeGroups } from './processes.mjs'
import { measureRaw } from './raw-limit.mjs'
import { markdownTable } from './table.mjs'
import { isInstalled } from './tools/tools.mjs'

const pings = 50
/** Far below what the emulator can do beside two ends on two cores. */
const mbit = 100
const paths = [
  ...[1, 10, 50, 100, 300].map((rtt) => ({ rtt })),
  ...[0.2, 2, 5, 10].map((loss) => ({ rtt: 20, rate: mbit, loss })),
  { rtt: 20, rate: mbit, loss: 1, burst: 20 },
  ...[20, 300, 1000].map((rate) => ({ rtt: 20, rate })),
]

function roundTrips(network, address) {
  const [command, ...args] = [...network.prefix('sender'), 'ping']
  const how = ['-q', '-i', '0.02', '-c', String(pings), address]
  const said = execFileSync(command, [...args, ...how], { encoding: 'utf8' })
  const [, , mean, most] = /= ([\d.]+)\/([\d.]+)\/([\d.]+)/.exec(said)
  return `${mean} ms, at most ${most}`
}

async function throughput(path, context) {
  const measured = await measureRaw('udp', { ...context, path })
  const limit = payloadLimit(path) / 1e6
  const expected = limit * (1 - (path.loss ?? 0) / 100)
  return [`${expected.toFixed(1)} Mbit/s`, `${measured.toFixed(1)} Mbit/s`]
}

async function checkAll() {
  const network = await makeNetwork({ path: paths[0], seed: 1, tcp: 'cubic' })
  const address = network.address('receiver')
  const place = (name) => new Place(name, network.prefix(name))
  const context = { sender: place('sender'), receiver: place('receiver'), address }
  const rows = []
  for (const path of paths) {
    network.emulator.set(path)
    const [expected, measured] = path.rate
      ? await throughput(path, context)
      : [`${path.rtt} ms`, roundTrips(network, address)]
    rows.push([JSON.stringify(path).replaceAll(/[{}"]/g, ''), expected, measured])
  }
  console.log(markdownTable(['path', 'expected', 'measured'], rows))
  const { packets, tardy } = await network.emulator.punctuality()
  console.log(`\n${packets} packets, ${tardy} more than 1 ms late; load ${loadavg()[0].toFixed(1)}`)
}

runMain(async () => {
  if (!isInstalled({ needs: ['ping'] }))
    throw new Failure('The check needs ping: apt-get install iputils-ping.')
  await inWorld(checkAll, { afterwards: removeGroups })
})
