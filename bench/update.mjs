#!/usr/bin/env node
// update.mjs [--size 2GiB] [--changed 1] [--rtt 40] [--rate 100] [--policies update,replace]: time, and bytes on the wire,
// to receive a file of which the receiver has a version where this percentage of its 1 MiB blocks differs. Requires Linux
// and root.
import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { closeSync, copyFileSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, runMain } from '../scripts/lib/failure.mjs'
import { makeNetwork } from './lab/network.mjs'
import { parseSize } from './lab/options.mjs'
import { Program } from './lib/program.mjs'
import { MiB } from './lib/trees.mjs'
import { folder, inWorld } from './lib/world.mjs'

const port = 443

function readOptions() {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: '2GiB' },
      changed: { type: 'string', default: '1' },
      rtt: { type: 'string', default: '40' },
      rate: { type: 'string', default: '100' },
      policies: { type: 'string', default: 'update,replace' },
    },
  })
  const number = (name) => {
    const value = Number(values[name])
    if (!(value > 0)) throw new Failure(`--${name} takes a number, not "${values[name]}".`)
    return value
  }
  return {
    size: parseSize(values.size),
    changed: number('changed') / 100,
    path: { rtt: number('rtt'), rate: number('rate') },
    policies: values.policies.split(','),
  }
}

/** Writes a file, and next to it an older version; returns the number of blocks that differ. */
function writeVersions(newer, older, { size, changed }) {
  const block = Buffer.alloc(MiB)
  const files = [openSync(newer, 'w'), openSync(older, 'w')]
  const blocks = Math.floor(size / MiB)
  let different = 0
  for (let at = 0; at < blocks; at += 1) {
    randomFillSync(block)
    writeSync(files[0], block)
    if (Math.floor((at + 1) * changed) > Math.floor(at * changed)) {
      block[block.length >> 1] ^= 1
      different += 1
    }
    writeSync(files[1], block)
  }
  for (const file of files) closeSync(file)
  return different
}

/** Bytes that left a place's interface since it was made. */
function sentBy(network, place) {
  const [command, ...prefix] = network.prefix(place)
  const table = execFileSync(command, [...prefix, 'cat', '/proc/net/dev'], { encoding: 'utf8' })
  return Number(/e0:(?:\s+\d+){8}\s+(\d+)/.exec(table)[1])
}

async function measure(network, { newer, older, policy }) {
  const out = join(folder, 'received')
  mkdirSync(out)
  copyFileSync(older, join(out, 'image'))
  const env = {
    ...{ THRU_NO_LAN: '1' },
    ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') },
  }
  const start = (place, args, more = {}) =>
    new Program(args, { within: network.prefix(place), env: { ...env, ...more } })
  const address = network.address('server')
  const server = start('server', ['serve', '--host', address, '--port', String(port)])
  await server.line('text')
  const options = ['--json', '--server-url', `ws://${address}:${port}`]
  const host = start('sender', ['host', newer, ...options])
  const { code } = await host.line('code')
  const wire = () => ['sender', 'receiver'].map((place) => sentBy(network, place))
  const before = wire()
  const receiving = ['join', '--out', out, '--yes', '--conflict', policy, ...options]
  const receiver = start('receiver', receiving, { THRU_CODE: code })
  const done = await receiver.line('done')
  const seconds = (done.atMs - receiver.startedAtMs) / 1000
  const { exitCode } = await receiver.ended
  const [sent, answered] = wire().map((bytes, at) => (bytes - before[at]) / 1e6)
  execFileSync('cmp', [newer, join(out, 'image')])
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}`)
  await host.stop()
  await server.stop()
  rmSync(out, { recursive: true })
  return {
    policy,
    seconds: Number(seconds.toFixed(1)),
    'sender MB': Number(sent.toFixed(1)),
    'receiver MB': Number(answered.toFixed(1)),
    'reused MB': Number((done.reusedBytes / 1e6).toFixed(1)),
  }
}

const options = readOptions()
runMain(() =>
  inWorld(async () => {
    const network = await makeNetwork({ path: options.path, seed: 1, tcp: 'cubic' })
    const [newer, older] = [join(folder, 'image'), join(folder, 'older')]
    const different = writeVersions(newer, older, options)
    console.log(`${different} blocks of 1 MiB differ`)
    const rows = []
    for (const policy of options.policies) {
      rows.push(await measure(network, { newer, older, policy }))
    }
    console.table(rows)
    console.log(`load ${loadavg()[0].toFixed(1)}`)
  }),
)
