#!/usr/bin/env node
// connect-time.mjs [--runs 20] [--server-rtt 80] [--peer-rtt 40] [--direct] [--lan] [--typed] [--bytes 16384] [--nat
// A,B] [--meeting [--dead 0] [--lost 0]]: milliseconds of each step from a join code to the first byte of a file, over emulated paths. --direct links
// the two computers directly. With --lan the receiver also searches its empty local network. With --typed it connects
// like the window, while the code is typed. --nat puts the sender behind a NAT of kind A and the receiver behind kind
// B. It adds a STUN server and relays, and the peer RTT is 80 ms by default. A,B can be several pairs separated by
// spaces, or `all`. With --meeting the two meet at three public meeting points over TLS instead of a server; --dead of
// them don't answer, and the others lose --lost percent of all events. Requires Linux and root.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleProgram } from '../scripts/lib/bundle.mjs'
import { root } from '../scripts/lib/cache.mjs'
import { Failure, runMain } from '../scripts/lib/failure.mjs'
import { startMeetingPoints } from './lab/meeting-points.mjs'
import { makeNetwork } from './lab/network.mjs'
import { natOf, pairsTable, percentile, readPairs } from './lab/pairs.mjs'
import { iceOptions, relayPort, relayProgram, stunUrl, turnOverTcp, turnUrl } from './lab/relay.mjs'
import { listening } from './lab/trial.mjs'
import { Program } from './lib/program.mjs'
import { folder, inWorld } from './lib/world.mjs'

/** A port that strict firewalls allow. */
const port = 443
/** The second relay's address on the laboratory's server. */
const secondAddress = '198.18.3.2'
/** The addon that the command also uses. */
const addon = process.env.THRU_ADDON ?? join(root, 'out', 'native', 'thruflux.node')

function readOptions() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '20' },
      'server-rtt': { type: 'string', default: '80' },
      'peer-rtt': { type: 'string' },
      bytes: { type: 'string', default: '16384' },
      direct: { type: 'boolean', default: false },
      lan: { type: 'boolean', default: false },
      typed: { type: 'boolean', default: false },
      nat: { type: 'string' },
      meeting: { type: 'boolean', default: false },
      dead: { type: 'string', default: '0' },
      lost: { type: 'string', default: '0' },
      // Set for the child process that measures one pair.
      json: { type: 'boolean', default: false },
    },
  })
  const number = (name, usual) => {
    const value = Number(values[name] ?? usual)
    if (!(value >= 0)) throw new Failure(`--${name} takes a number, not "${values[name]}".`)
    return value
  }
  const pairs = readPairs(values.nat)
  const isTranslated = pairs.length > 0
  if (isTranslated && (values.direct || values.lan || values.typed))
    throw new Failure("--nat can't be combined with --direct, --lan or --typed.")
  if (values.meeting && (isTranslated || values.direct || values.lan))
    throw new Failure("--meeting can't be combined with --nat, --direct or --lan.")
  const path = { rtt: number('peer-rtt', isTranslated ? 80 : 40), serverRtt: number('server-rtt') }
  return {
    runs: Math.max(1, number('runs')),
    bytes: number('bytes'),
    path: values.direct ? undefined : path,
    ...{ pairs, lan: values.lan, typed: values.typed, json: values.json },
    meeting: values.meeting ? { dead: number('dead'), lost: number('lost') } : undefined,
  }
}

/** Bundles the window's kind of receiver into one file. */
async function bundleTyped() {
  const outfile = join(folder, 'typed-join.cjs')
  const source = fileURLToPath(new URL('lib/typed-join.mjs', import.meta.url))
  await bundleProgram(source, outfile)
  return outfile
}

/** Returns a function that starts programs at places of the network. */
function startIn(network, lan) {
  const env = {
    ...(lan ? {} : { THRU_NO_LAN: '1' }),
    ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') },
  }
  return (place, args, more = {}, program = undefined) =>
    new Program(args, { within: network.prefix(place), env: { ...env, ...more }, program })
}

/** Starts a sender with the options of both sides. */
async function share(start, file, options) {
  const host = start('sender', ['host', file, '--json', '--no-lan', ...options])
  const { code } = await host.line('code')
  return { host, code }
}

/** Measures one receive: the milliseconds of each step, and the route. */
async function receive(start, { url, code, typed, points = [], options }) {
  const out = join(folder, 'received')
  mkdirSync(out)
  const args = ['join', '--out', out, '--yes', '--json', '-v', ...options]
  const receiver = typed
    ? start('receiver', [url, code, out, ...points], { THRU_ADDON: addon }, typed)
    : start('receiver', args, { THRU_CODE: code })
  try {
    const { ms } = await receiver.line('timing')
    if (!('first-byte' in ms)) throw new Error(`incomplete: ${JSON.stringify(ms)}`)
    const connected = receiver.lines.findLast(({ type }) => type === 'connected')
    return { ms, route: connected?.route }
  } finally {
    await receiver.ended
    rmSync(out, { recursive: true, force: true })
  }
}

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

function ipAt(network, place, ...words) {
  const [program, ...args] = [...network.prefix(place), 'ip', ...words]
  execFileSync(program, args)
}

/** Creates a network with a server, and the options that both sides need. */
async function prepare({ path, pairs: [pair], lan, bytes, meeting }) {
  const network = await makeNetwork({ path, nat: pair && natOf(pair), seed: 1, tcp: 'cubic' })
  // An address of an otherwise empty local network.
  if (lan) ipAt(network, 'receiver', 'address', 'add', '10.9.8.7/24', 'dev', 'e0')
  const start = startIn(network, lan)
  const address = network.address('server')
  const ice = pair ? await startRelays(network, address) : []
  const file = join(folder, 'file.bin')
  writeFileSync(file, Buffer.alloc(bytes, 1))
  if (meeting) {
    const { urls, trusted } = await startMeetingPoints(network, address, meeting)
    await startRelays(network, address)
    process.env.NODE_EXTRA_CA_CERTS = trusted
    const relays = urls.flatMap((url) => ['--meeting-relay', url])
    const options = [...relays, ...iceOptions(stunUrl(address), [])]
    return { network, start, file, url: '', points: [stunUrl(address), ...urls], options }
  }
  const limits = { THRU_SESSION_CREATES_BURST: '1000', THRU_WS_CONNECTIONS_BURST: '1000' }
  const serving = ['serve', '--host', address, '--port', String(port)]
  await start('server', serving, { ...limits, THRU_LOG_LEVEL: 'error' }).line('text')
  const url = `ws://${address}:${port}`
  return { network, start, file, url, options: ['--server-url', url, ...ice] }
}

/**
 * Starts a relay on the usual port and one on a port that strict firewalls allow; returns the options that name both.
 */
async function startRelays(network, address) {
  ipAt(network, 'server', 'address', 'add', `${secondAddress}/24`, 'dev', 'e0')
  const relays = [
    { address, port: relayPort, folder },
    { address: secondAddress, port, folder },
  ]
  for (const relay of relays) {
    const [program, ...args] = [...network.prefix('server'), ...relayProgram(relay)]
    spawn(program, args, { stdio: 'ignore' })
    await listening(network, 'server', relay.port)
  }
  const usual = turnUrl(address)
  return iceOptions(stunUrl(address), [
    ...[usual, turnOverTcp(usual)],
    turnOverTcp(turnUrl(secondAddress, port)),
  ])
}

async function measureSteps(options) {
  const { network, start, file, url, points, options: both } = await prepare(options)
  const typed = options.typed ? await bundleTyped() : undefined
  const runs = []
  let failed = 0
  while (runs.length + failed < options.runs) {
    const { host, code } = await share(start, file, both)
    try {
      runs.push((await receive(start, { url, code, typed, points, options: both })).ms)
    } catch (error) {
      if (!options.meeting) throw error
      failed += 1
      console.error(error.message)
    }
    await host.stop()
  }
  if (runs.length > 0) print(runs)
  if (options.meeting) console.log(`${runs.length} of ${options.runs} met`)
  if (network.emulator) {
    const { packets, tardy } = await network.emulator.punctuality()
    console.log(`${packets} packets, ${tardy} more than 1 ms late`)
  }
}

/** Measures one pair and prints a line of JSON. All runs receive from one sender. */
async function measurePair(options) {
  const { start, file, url, options: both } = await prepare(options)
  const { code } = await share(start, file, both)
  const result = { pair: options.pairs[0], runs: [], failed: 0 }
  while (result.runs.length + result.failed < options.runs) {
    try {
      result.runs.push(await receive(start, { url, code, options: both }))
    } catch (error) {
      result.failed += 1
      console.error(error.message)
    }
  }
  console.log(JSON.stringify(result))
}

/** Measures each pair in a separate world. */
async function measurePairs({ pairs, runs, bytes, path }) {
  const results = []
  for (const pair of pairs) {
    const given = { runs, bytes, 'peer-rtt': path.rtt, 'server-rtt': path.serverRtt, nat: pair }
    const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)])
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const before = results.length
    for await (const line of createInterface(child.stdout)) results.push(JSON.parse(line))
    if (results.length === before) throw new Failure(`${pair.join(' to ')} couldn't be measured.`)
    console.error(pairsTable(results.slice(-1)).split('\n').at(-1))
  }
  const rtts = `${path.serverRtt} ms to the server, ${path.rtt} ms between the computers`
  console.log(`${pairsTable(results)}\n\n${rtts}; load ${loadavg()[0].toFixed(1)}`)
}

runMain(async () => {
  const options = readOptions()
  if (options.pairs.length > 0 && !options.json) await measurePairs(options)
  else await inWorld(() => (options.json ? measurePair(options) : measureSteps(options)))
})
