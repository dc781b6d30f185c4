#!/usr/bin/env node
// compression.mjs [--rtt 40] [--rate 20] [--noise 256MiB] [--receiver PROGRAM]: time, processor time and bytes on the wire
// for the tracked files of this checkout, and for random bytes. The receiver may be an older thru, which is sent
// uncompressed data. Requires Linux and root.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../scripts/lib/cache.mjs'
import { runMain } from '../scripts/lib/failure.mjs'
import { makeNetwork, sentBy } from './lab/network.mjs'
import { parseSize } from './lab/options.mjs'
import { Program } from './lib/program.mjs'
import { writeFile } from './lib/trees.mjs'
import { folder, inWorld } from './lib/world.mjs'

const port = 443

const { values } = parseArgs({
  options: {
    rtt: { type: 'string', default: '40' },
    rate: { type: 'string', default: '20' },
    noise: { type: 'string', default: '256MiB' },
    receiver: { type: 'string' },
  },
})

async function measure(network, what, path) {
  const out = join(folder, 'received')
  mkdirSync(out)
  const env = {
    ...{ THRU_NO_LAN: '1' },
    ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') },
  }
  const start = (place, args, more = {}) =>
    new Program(args, { within: network.prefix(place), env, ...more })
  const address = network.address('server')
  const server = start('server', ['serve', '--host', address, '--port', String(port)])
  await server.line('text')
  const options = ['--json', '--server-url', `ws://${address}:${port}`]
  const host = start('sender', ['host', path, ...options])
  const { code } = await host.line('code')
  const before = sentBy(network, 'sender')
  const receiver = start('receiver', ['join', '--out', out, '--yes', ...options], {
    env: { ...env, THRU_CODE: code },
    program: values.receiver,
  })
  const accepted = await receiver.line('accepted')
  const done = await receiver.line('done')
  const { exitCode, ...received } = await receiver.ended
  const sent = (sentBy(network, 'sender') - before) / 1e6
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}`)
  const ended = await host.stop()
  await server.stop()
  execFileSync('diff', ['-r', path, join(out, path.split('/').at(-1))])
  rmSync(out, { recursive: true })
  const saved = receiver.lines.findLast(({ type }) => type === 'statistics')?.compressionSaved ?? 0
  return {
    what,
    seconds: Number(((done.atMs - receiver.startedAtMs) / 1000).toFixed(1)),
    'after accepting': Number(((done.atMs - accepted.atMs) / 1000).toFixed(1)),
    'wire MB': Number(sent.toFixed(1)),
    'saved MB': Number((saved / 1e6).toFixed(1)),
    'sender CPU s': Number(ended.cpuSeconds.toFixed(1)),
    'receiver CPU s': Number(received.cpuSeconds.toFixed(1)),
  }
}

runMain(() =>
  inWorld(async () => {
    const path = { rtt: Number(values.rtt), rate: Number(values.rate) }
    const network = await makeNetwork({ path, seed: 1, tcp: 'cubic' })
    const tree = join(folder, 'tree')
    mkdirSync(tree)
    execFileSync('sh', ['-c', `git -C "${root}" archive HEAD | tar -x -C "${tree}"`])
    const noise = writeFile(join(folder, 'noise'), parseSize(values.noise))
    console.table([
      await measure(network, 'tracked files', tree),
      await measure(network, 'random bytes', noise),
    ])
    console.log(`load ${loadavg()[0].toFixed(1)}`)
  }),
)
