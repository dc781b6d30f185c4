#!/usr/bin/env node
// connect-time.mjs [--runs 20] [--server-rtt 80] [--peer-rtt 40] [--direct] [--lan] [--typed] [--bytes 16384]: milliseconds from
// a join code to the first byte of a file, step by step, over emulated paths, or with --direct between two computers that are
// linked directly. With --lan the receiver also looks on its local network, where nobody is; with --typed it is a client
// as the window has, which prepares what it can while a code is typed. Linux, root.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from '../scripts/lib/cache.mjs'
import { Failure, runMain } from '../scripts/lib/failure.mjs'
import { makeNetwork } from './lab/network.mjs'
import { Program } from './lib/program.mjs'
import { folder, inWorld } from './lib/world.mjs'

const port = 8080
/** What the command uses, too. */
const addon = process.env.THRU_ADDON ?? join(root, 'out', 'native', 'thruflux.node')

function readOptions() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '20' },
      'server-rtt': { type: 'string', default: '80' },
      'peer-rtt': { type: 'string', default: '40' },
      bytes: { type: 'string', default: '16384' },
      direct: { type: 'boolean', default: false },
      lan: { type: 'boolean', default: false },
      typed: { type: 'boolean', default: false },
    },
  })
  const number = (name) => {
    const value = Number(values[name])
    if (!(value >= 0)) throw new Failure(`--${name} takes a number, not "${values[name]}".`)
    return value
  }
  const path = { rtt: number('peer-rtt'), serverRtt: number('server-rtt') }
  return {
    runs: Math.max(1, number('runs')),
    bytes: number('bytes'),
    path: values.direct ? undefined : path,
    ...{ lan: values.lan, typed: values.typed },
  }
}

/** The window's kind of receiver, as one file. */
async function bundleTyped() {
  const { build } = await import('esbuild')
  const outfile = join(folder, 'typed-join.cjs')
  const source = fileURLToPath(new URL('lib/typed-join.mjs', import.meta.url))
  const loader = { '.html': 'text', '.md': 'text' }
  await build({ entryPoints: [source], outfile, bundle: true, platform: 'node', loader })
  return outfile
}

/** How programs are started at the places of a network. */
function startIn(network, lan) {
  const env = {
    ...(lan ? {} : { THRU_NO_LAN: '1' }),
    ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') },
  }
  return (place, args, more = {}, program = undefined) =>
    new Program(args, { within: network.prefix(place), env: { ...env, ...more }, program })
}

/** The milliseconds of each step of one transfer. */
async function measure(start, url, file, typed) {
  const server = ['--server-url', url]
  const host = start('sender', ['host', file, '--json', '--no-lan', ...server])
  const { code } = await host.line('code')
  const out = join(folder, 'received')
  mkdirSync(out)
  const args = ['join', '--out', out, '--yes', '--json', '--timing', ...server]
  const receiver = typed
    ? start('receiver', [url, code, out], { THRU_ADDON: addon }, typed)
    : start('receiver', args, { THRU_CODE: code })
  const { ms } = await receiver.line('timing')
  await receiver.ended
  await host.stop()
  rmSync(out, { recursive: true, force: true })
  if (!('first-byte' in ms)) throw new Error(`incomplete: ${JSON.stringify(ms)}`)
  return ms
}

const percentile = (numbers, part) =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * part) - 1]

function print(runs) {
  const totals = runs.map((steps) => Object.values(steps).reduce((sum, ms) => sum + ms, 0))
  const mean = (numbers) => numbers.reduce((sum, ms) => sum + ms, 0) / numbers.length
  const row = (name, numbers) => ({
    step: name,
    'p50 ms': percentile(numbers, 0.5),
    'p95 ms': percentile(numbers, 0.95),
    'share %': Math.round((100 * mean(numbers)) / mean(totals)),
  })
  const of = (name) => runs.map((steps) => steps[name] ?? 0)
  const steps = Object.keys(runs[0]).map((name) => row(name, of(name)))
  console.table([...steps, row('code to first byte', totals)])
  console.log(`load ${loadavg()[0].toFixed(1)}`)
}

/** Gives the receiver an address of a local network, on which nobody else is. */
function joinLocalNetwork(network) {
  const [program, ...args] = [...network.prefix('receiver'), 'ip', 'address', 'add', '10.9.8.7/24']
  execFileSync(program, [...args, 'dev', 'e0'])
}

async function measureAll(options) {
  const network = await makeNetwork({ path: options.path, seed: 1, tcp: 'cubic' })
  if (options.lan) joinLocalNetwork(network)
  const start = startIn(network, options.lan)
  const limits = ['--session-creates-burst', '1000', '--ws-connections-burst', '1000']
  const listening = ['serve', '--host', '0.0.0.0', '--port', String(port), ...limits]
  await start('server', listening, { THRU_LOG_LEVEL: 'error' }).line('text')
  const file = join(folder, 'file.bin')
  writeFileSync(file, Buffer.alloc(options.bytes, 1))
  const url = `ws://${network.address('server')}:${port}`
  const typed = options.typed ? await bundleTyped() : undefined
  const runs = []
  while (runs.length < options.runs) runs.push(await measure(start, url, file, typed))
  print(runs)
  if (network.emulator) {
    const { packets, tardy } = await network.emulator.punctuality()
    console.log(`${packets} packets, ${tardy} more than 1 ms late`)
  }
}

runMain(async () => {
  const options = readOptions()
  await inWorld(() => measureAll(options))
})
