#!/usr/bin/env node
// bench.mjs NAME [arguments...]: the single entry point for measurements. Builds the programs under test, then runs
// the measurement. Without a name it lists the measurements.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../scripts/lib/cache.mjs'
import { Failure, isMain, runMain } from '../scripts/lib/failure.mjs'
import { scenarios } from './lab/scenarios.mjs'
import { demandWorld } from './lib/world.mjs'

const node = (...argv) => [process.execPath, ...argv]
const engine = join('native', 'build', 'release', 'thru_bench')
const buildEngine = node('scripts/native-build.mjs', 'release', 'thru_bench')
const buildAll = node('scripts/build.mjs')

const inEngine = (what, ...first) => ({ what, build: [buildEngine], run: [engine, ...first] })

/** Measurements other than the laboratory's scenarios. */
const others = {
  transfer: {
    what: 'the goals of docs/performance.md for whole transfers; [FIGURE...]; root',
    build: [buildEngine, buildAll],
    run: node('bench/transfer.mjs'),
    needsWorld: true,
  },
  connect: {
    what: 'time from a join code to the first byte, step by step; [--runs N] [--nat A,B] [--meeting]...; root',
    build: [buildAll],
    run: node('bench/connect-time.mjs'),
    needsWorld: true,
  },
  page: {
    what: 'a browser that receives from a link; [--runs N] [--size, --rate, --server-rtt, --rtt, --loss]; root',
    build: [buildAll, node('scripts/web-build.mjs')],
    run: node('bench/page.mjs'),
    needsWorld: true,
  },
  'meeting-field': {
    what: 'the public meeting points of this copy, from a computer that is online; [--relay URL]...',
    build: [],
    run: node('bench/meeting-program.mjs', 'field'),
  },
  'meeting-idle': {
    what: 'the cost of idle shares to a public meeting point; [--shares N] [--seconds S]; Linux',
    build: [],
    run: node('bench/meeting-program.mjs', 'idle'),
  },
  gaps: {
    what: 'time without data after a network fault; [--runs N] [--faults NAME,...]; root',
    build: [buildAll],
    run: node('bench/gaps.mjs'),
    needsWorld: true,
  },
  delta: {
    what: 'what the receiver has an older version of; [--size, --cases, --tools, --rtt, --rate]; root',
    build: [buildAll],
    run: node('bench/delta.mjs'),
    needsWorld: true,
  },
  compression: {
    what: 'source code and random bytes over a slow path; [--rtt, --rate, --noise, --receiver]; root',
    build: [buildAll],
    run: node('bench/compression.mjs'),
    needsWorld: true,
  },
  compare: {
    what: 'two results of one scenario from bench/results/runs; A B',
    build: [],
    run: node('bench/lab/compare.mjs'),
  },
  start: {
    what: 'time from the start of the command to its connection to a server; [--runs N] [OTHER.cjs...]',
    build: [buildAll],
    run: node('bench/command-start.mjs'),
  },
  signaling: {
    what: 'a signaling server under a swarm of clients; [FIGURE...]',
    build: [node('scripts/build.mjs', '--server')],
    run: node('bench/signaling.mjs'),
  },
  window: {
    what: 'startup, idle load, frames and cost of the window',
    build: [buildAll],
    run: node('bench/window.mjs'),
  },
  engine: {
    what: 'parts of the engine, and the limits of the machine; [--runs N] [PART...]',
    build: [buildEngine],
    run: node('bench/engine.mjs'),
  },
  packets: inEngine('the packet path alone; [MIB] [RUNS]'),
  paths: inEngine('congestion control on simulated paths; [NAME] [SECONDS] [SEEDS]', 'paths'),
  sharing: inEngine('connections that share a simulated link; [NAME] [SECONDS]', 'sharing'),
  hash: inEngine('hashes alone; MIB', 'hash'),
  'many-receivers': inEngine(
    'many receivers of one share; [COUNT] [MIB] [IDLE-SECONDS]',
    'many-receivers',
  ),
}

const inLaboratory = (name) => ({
  build: [buildAll],
  run: node('bench/lab/laboratory.mjs', name),
  needsWorld: true,
})

/** Returns the entry of a name, if it exists. */
function entryOf(name) {
  if (Object.hasOwn(scenarios, name)) return inLaboratory(name)
  return Object.hasOwn(others, name) ? others[name] : undefined
}

/** Lists all measurements, one per line. */
export function overview() {
  const line = ([name, { what }]) => `  ${name.padEnd(16)} ${what}`
  return [
    'npm run bench -- NAME [arguments]. See docs/performance.md.',
    '',
    'Tools side by side over a path of the laboratory (root):',
    ...Object.entries(scenarios).map(line),
    '',
    'Parts of Thruflux:',
    ...Object.entries(others).map(line),
  ].join('\n')
}

/**
 * Returns the commands that build and run a measurement. `--no-build` skips the build.
 * @param {string[]} argv
 * @returns {{ build: string[][], run: string[], needsWorld: boolean }}
 */
export function plan([name, ...given]) {
  const entry = entryOf(name)
  if (!entry) throw new Failure(`There is no measurement "${name}".\n\n${overview()}`)
  const args = given.filter((argument) => argument !== '--no-build')
  return {
    build: args.length < given.length ? [] : entry.build,
    run: [...entry.run, ...args],
    needsWorld: entry.needsWorld ?? false,
  }
}

/** Runs a program and returns its exit code. Signals are passed on to it. */
function run([command, ...args]) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

async function main(argv) {
  if (argv.length === 0) {
    console.log(overview())
    return
  }
  const { build, run: program, needsWorld } = plan(argv)
  // Node reads these certificates at every start, which took 50 of 77 ms; few computers have any.
  delete process.env.NODE_EXTRA_CA_CERTS
  if (needsWorld) demandWorld()
  for (const command of [...build, program]) {
    process.exitCode = await run(command)
    if (process.exitCode !== 0) return
  }
}

if (isMain(import.meta.url)) runMain(() => main(process.argv.slice(2)))
