#!/usr/bin/env node
// gaps.mjs [--runs 20] [--faults NAME,...] [--nat A,B]: the time without data after network faults during transfers
// at 20 Mbit/s. The RTT is 40 ms between the computers, 80 ms to the server and the relays. --nat puts the sender
// behind a NAT of kind A and the receiver behind kind B. Linux, root.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as after } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Failure, runMain } from '../scripts/lib/failure.mjs'
import { makeNetwork } from './lab/network.mjs'
import { natOf, percentile, readPairs } from './lab/pairs.mjs'
import { iceOptions, relayPort, relayProgram, stunUrl, turnOverTcp, turnUrl } from './lab/relay.mjs'
import { markdownTable } from './lab/table.mjs'
import { listening } from './lab/trial.mjs'
import { Program } from './lib/program.mjs'
import { longestSilence, receivedAt } from './lib/silence.mjs'
import { folder, inWorld } from './lib/world.mjs'

const path = { rtt: 40, serverRtt: 80, rate: 20 }
const MiB = 1024 * 1024
const serverPort = 443
const secondRelayPort = 3479
/** A run without recovery for this long after the fault counts as failed. */
const patienceMs = 60_000

/** Faults by name. `end` runs `seconds` after `begin` and starts the gap. `isRelayed` requires the relay. */
const faults = {
  'receiver-moves': {
    what: "the receiver's address changes",
    begin: (lab) => lab.move('receiver'),
  },
  'sender-moves': { what: "the sender's address changes", begin: (lab) => lab.move('sender') },
  'nat-forgets': {
    what: "the receiver's router forgets its connections",
    begin: (lab) => lab.forget('receiver'),
  },
  'outage-7': outage(7),
  'outage-30': outage(30),
  'outage-60': outage(60),
  'relay-dies': {
    what: 'the relay dies, and another is available',
    isRelayed: true,
    begin: (lab) => lab.killRelay(),
  },
  'server-dies': { what: 'the signaling server dies', begin: (lab) => lab.killServer() },
}

function outage(seconds) {
  const what = `the receiver is offline for ${seconds} s`
  return { what, seconds, begin: (lab) => lab.cut(), end: (lab) => lab.mend() }
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '20' },
      faults: { type: 'string', default: Object.keys(faults).join() },
      nat: { type: 'string', default: 'full-cone,symmetric' },
    },
  })
  const runs = Number(values.runs)
  if (!(runs >= 1)) throw new Failure(`--runs takes a number, not "${values.runs}".`)
  const names = values.faults.split(',')
  const unknown = names.find((name) => !Object.hasOwn(faults, name))
  if (unknown) throw new Failure(`--faults takes ${Object.keys(faults).join()}, not "${unknown}".`)
  const pairs = readPairs(values.nat)
  if (pairs.length !== 1 || pairs[0].includes('open'))
    throw new Failure(
      '--nat takes one pair of kinds other than "open", because addresses change behind a NAT.',
    )
  return { runs, names, pair: pairs[0] }
}

/** Two homes, a server and two relays, and the faults that can affect them. */
class Lab {
  #network
  #server
  #relay
  #moves = 0

  static async open(pair) {
    const lab = new Lab()
    lab.#network = await makeNetwork({ path, nat: natOf(pair), seed: 1, tcp: 'cubic' })
    await lab.startServer()
    await lab.startRelay()
    await lab.#startRelay(secondRelayPort)
    return lab
  }

  get #address() {
    return this.#network.address('server')
  }

  get options() {
    const usual = turnUrl(this.#address)
    const second = turnUrl(this.#address, secondRelayPort)
    return [
      ...['--json', '--no-lan', '--server-url', `ws://${this.#address}:${serverPort}`],
      ...iceOptions(stunUrl(this.#address), [usual, turnOverTcp(usual), second]),
    ]
  }

  run(place, args, variables = {}) {
    const env = { XDG_STATE_HOME: join(folder, `state-${place}`), ...variables }
    return new Program(args, { within: this.#network.prefix(place), env })
  }

  async startServer() {
    const limits = { THRU_SESSION_CREATES_BURST: '1000', THRU_WS_CONNECTIONS_BURST: '1000' }
    const at = ['--host', this.#address, '--port', String(serverPort)]
    this.#server = this.run('server', ['serve', ...at], limits)
    await this.#server.line('text')
  }

  killServer() {
    void this.#server.stop('SIGKILL')
  }

  async startRelay() {
    this.#relay = await this.#startRelay(relayPort)
  }

  killRelay() {
    this.#relay.kill('SIGKILL')
  }

  async #startRelay(port) {
    const relay = relayProgram({ address: this.#address, port, folder })
    const [program, ...args] = [...this.#network.prefix('server'), ...relay]
    const child = spawn(program, args, { stdio: 'ignore' })
    await listening(this.#network, 'server', port)
    return child
  }

  /** Changes the computer's address within its home network. */
  move(side) {
    const before = /inet (\S+)\.(\d+)\/24/.exec(this.#do(side, 'ip address show dev e0'))
    this.#moves += 1
    const next = `${before[1]}.${10 + (this.#moves % 200)}`
    this.#do(side, 'ip address flush dev e0')
    this.#do(side, `ip address add ${next}/24 dev e0`)
    this.#do(side, `ip route add default via ${before[1]}.1`)
  }

  /** Removes and restores the router's own address, so that it forgets its translations. */
  forget(side) {
    const [, own] = /inet (\S+\/24)/.exec(this.#atRouter(side, 'ip address show dev e0'))
    this.#atRouter(side, `ip address del ${own} dev e0`)
    this.#atRouter(side, `ip address add ${own} dev e0`)
    this.#atRouter(side, 'ip route add default dev e0')
  }

  cut() {
    const chain = 'chain cut { type filter hook forward priority -10; drop; }'
    this.#atRouter('receiver', 'nft -f -', `table ip outage {\n${chain}\n}\n`)
  }

  mend() {
    this.#atRouter('receiver', 'nft delete table ip outage')
  }

  #do(side, command) {
    const [program, ...args] = [...this.#network.prefix(side), ...command.split(' ')]
    return execFileSync(program, args, { encoding: 'utf8' })
  }

  #atRouter(side, command, input = '') {
    const [program, ...args] = ['ip', 'netns', 'exec', side, ...command.split(' ')]
    return execFileSync(program, args, { input, encoding: 'utf8' })
  }
}

/** Measures one transfer with one fault: the time without data, and whether it resumed over the same connection. */
async function measure(lab, code, { begin, end, seconds = 0, isRelayed }) {
  const out = mkdtempSync(join(folder, 'received-'))
  const more = isRelayed ? ['--relay', 'only'] : []
  const receiver = lab.run('receiver', [
    'join',
    code,
    '--out',
    out,
    '--yes',
    ...lab.options,
    ...more,
  ])
  const samples = []
  const sampler = setInterval(() => {
    samples.push({ atMs: performance.now(), bytes: receivedAt(receiver.pid) })
  }, 20)
  const beyond = (bytes) => receiver.line('progress', (line) => line.bytes > bytes)
  try {
    await beyond(2 * MiB)
    begin(lab)
    await after(seconds * 1000)
    end?.(lab)
    const fromMs = performance.now()
    const { bytes } = receiver.lines.findLast(({ type }) => type === 'progress')
    const tooLate = after(patienceMs, null, { ref: false })
    const isBack = await Promise.race([beyond(bytes + 2 * MiB), tooLate])
    if (!isBack) return null
    const isSame = !receiver.lines.some(({ type }) => type === 'reconnecting')
    return { ms: longestSilence(samples, fromMs), isSame }
  } finally {
    clearInterval(sampler)
    await receiver.stop()
    rmSync(out, { recursive: true, force: true })
  }
}

/** Measures one fault and returns a row of the table. */
async function rowOf(lab, file, fault, count) {
  const sender = lab.run('sender', ['host', file, ...lab.options])
  const { code } = await sender.line('code')
  const gaps = []
  let same = 0
  for (let run = 0; run < count; run += 1) {
    const gap = await measure(lab, code, fault)
    console.error(`${fault.what}: ${gap ? `${Math.round(gap.ms)} ms` : 'no recovery'}`)
    if (gap) gaps.push(gap.ms)
    if (gap?.isSame) same += 1
    if (fault.isRelayed) await lab.startRelay()
    if (fault === faults['server-dies']) await lab.startServer()
    // The sender needs time to reconnect to the new server.
    if (fault === faults['server-dies']) await after(2000)
  }
  await sender.stop()
  const seconds = (ms) => (ms / 1000).toFixed(2)
  const figures =
    gaps.length === 0 ? ['', ''] : [seconds(percentile(gaps, 0.5)), seconds(Math.max(...gaps))]
  return [fault.what, ...figures, `${same} of ${count}`, `${gaps.length} of ${count}`]
}

async function main({ runs, names, pair }) {
  const lab = await Lab.open(pair)
  const file = join(folder, 'file.bin')
  writeFileSync(file, Buffer.alloc(48 * MiB, 1))
  const rows = []
  for (const name of names) rows.push(await rowOf(lab, file, faults[name], runs))
  const header = ['fault', 'median, s', 'worst, s', 'same connection', 'resumed']
  console.log(markdownTable(header, rows))
  console.log(`\n${pair.join(' to ')}; load ${loadavg()[0].toFixed(1)}`)
}

runMain(async () => {
  const options = readOptions()
  await inWorld(() => main(options))
})
