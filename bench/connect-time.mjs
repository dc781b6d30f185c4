#!/usr/bin/env node
// connect-time.mjs [--runs 20] [--server-rtt 80] [--peer-rtt 40] [--bytes 16384]: milliseconds from a
// join code to the first byte of a file, step by step, between network namespaces with delays between
// them. What is written is reported in pieces of 256 KiB: with larger files the first of them counts.
// Needs Linux, root, iproute2 and a C++ compiler, and the built programs.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const launcher = fileURLToPath(new URL('../cli/bin/thru.cjs', import.meta.url))
const routerSource = fileURLToPath(new URL('delay-router.cc', import.meta.url))
const places = ['host', 'join', 'server']
const nameOf = (place) => `thru-bench-${process.pid}-${place}`
const server = ['--server-url', 'ws://198.18.3.1:8080']

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    'server-rtt': { type: 'string', default: '80' },
    'peer-rtt': { type: 'string', default: '40' },
    bytes: { type: 'string', default: '16384' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'thru-bench-'))
const running = new Set()
/** A program with the lines that it prints. */
function start(command, env = {}) {
  const [program, ...args] = command
  const child = spawn(program, args, {
    env: { ...process.env, THRU_NO_LAN: '1', XDG_STATE_HOME: join(folder, 'state'), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

const thru = (place, args, env) =>
  start(['ip', 'netns', 'exec', nameOf(place), process.execPath, launcher, ...args], env)

/** The first line that `pick` makes something of. */
async function until(lines, pick) {
  for (let last = ''; ;) {
    const { value, done } = await lines.next()
    if (done) throw new Error(`a program ended too soon: ${last}`)
    last = value
    const picked = pick(value)
    if (picked !== undefined) return picked
  }
}

const field = (type, name) => (line) => {
  const { type: found, ...fields } = JSON.parse(line)
  return found === type ? fields[name] : undefined
}

async function stop({ child }, signal) {
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill(signal)
  await closed
}

async function makeNetwork() {
  const router = join(folder, 'delay-router')
  execFileSync('c++', ['-std=c++20', '-O2', '-Wall', '-Wextra', '-o', router, routerSource])
  for (const [index, place] of places.entries()) {
    execFileSync('ip', ['netns', 'add', nameOf(place)])
    const commands = [
      'link set lo up',
      'tuntap add e0 mode tun',
      `address add 198.18.${index + 1}.1/24 dev e0`,
      'link set e0 mtu 1500 txqueuelen 10000 up',
      'route add default dev e0',
    ]
    execFileSync('ip', ['-n', nameOf(place), '-batch', '-'], { input: `${commands.join('\n')}\n` })
  }
  const delays = [values['peer-rtt'], values['server-rtt']].map((ms) => String(Number(ms) / 2))
  const routing = start([router, ...delays, ...places.map(nameOf)])
  await until(routing.lines, (line) => (line === 'ready' ? true : undefined))
  return routing
}

/** The milliseconds of each step of one transfer. */
async function measure(file, run) {
  const host = thru('host', ['host', file, '--json', ...server])
  const code = await until(host.lines, field('code', 'code'))
  const out = join(folder, `received-${run}`)
  const args = ['join', '--out', out, '--yes', '--json', '--timing', ...server]
  const steps = await until(thru('join', args, { THRU_CODE: code }).lines, field('timing', 'ms'))
  await stop(host, 'SIGINT')
  rmSync(out, { recursive: true, force: true })
  return steps
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
  const names = Object.keys(runs[0])
  console.table([
    ...names.map((name) =>
      row(
        name,
        runs.map((steps) => steps[name] ?? 0),
      ),
    ),
    row('code to first byte', totals),
  ])
}

/** Whatever it ended with. */
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const place of places) spawnSync('ip', ['netns', 'delete', nameOf(place)])
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const routing = await makeNetwork()
const limits = ['--session-creates-burst', '1000', '--ws-connections-burst', '1000']
const { lines } = thru('server', ['serve', '--host', '198.18.3.1', ...limits], {
  THRU_LOG_LEVEL: 'error',
})
await until(lines, (line) => (line.includes('ws:') ? true : undefined))
const file = join(folder, 'file.bin')
writeFileSync(file, Buffer.alloc(Number(values.bytes), 1))
const runs = []
for (let run = 0; run < Number(values.runs); run += 1) {
  const steps = await measure(file, run)
  if (!('first-byte' in steps)) throw new Error(`incomplete: ${JSON.stringify(steps)}`)
  runs.push(steps)
}
print(runs)
const ended = until(routing.lines, (line) => line)
routing.child.kill('SIGTERM')
console.log(await ended)
process.exit()
