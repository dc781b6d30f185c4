#!/usr/bin/env node
// bench.mjs NAME [arguments...]: the one front of everything that measures. It builds what is measured, then runs the
// program that does it; without a name it says what there is.
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

/** Beside the scenarios of the laboratory. */
const others = {
  transfer: {
    what: 'what docs/performance.md promises of whole transfers; [FIGURE...]; root',
    build: [buildEngine, buildAll],
    run: node('bench/transfer.mjs'),
    needsWorld: true,
  },
  connect: {
    what: 'from a join code to the first byte, step by step; [--runs N] [--nat A,B]...; root',
    build: [buildAll],
    run: node('bench/connect-time.mjs'),
    needsWorld: true,
  },
  gaps: {
    what: 'for how long nothing comes after a fault of the network; [--runs N] [--faults NAME,...]; root',
    build: [buildAll],
    run: node('bench/gaps.mjs'),
    needsWorld: true,
  },
  compare: {
    what: 'two results of one scenario, as in bench/results/runs; A B',
    build: [],
    run: node('bench/lab/compare.mjs'),
  },
  start: {
    what: 'from the start of the command to its connection to a server; [--runs N] [OTHER.cjs...]',
    build: [buildAll],
    run: node('bench/command-start.mjs'),
  },
  signaling: {
    what: 'a signaling server under a swarm of clients; [FIGURE...]',
    build: [node('scripts/build.mjs', '--server')],
    run: node('bench/signaling.mjs'),
  },
  window: {
    what: 'start, idle, frames and cost of the window',
    build: [buildAll],
    run: node('bench/window.mjs'),
  },
  engine: {
    what: 'parts of the engine beside what the machine can do at most; [--runs N] [PART...]',
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

/** What a name stands for, if for anything. */
function entryOf(name) {
  if (Object.hasOwn(scenarios, name)) return inLaboratory(name)
  return Object.hasOwn(others, name) ? others[name] : undefined
}

/** What there is, a line each. */
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
 * What to build and to run for a command line. `--no-build` takes what is built.
 * @param {string[]} argv
 * @returns {{ build: string[][], run: string[], needsWorld: boolean }}
 */
export function plan([name, ...given]) {
  const entry = entryOf(name)
  if (!entry) throw new Failure(`"${name}" can't be measured.\n\n${overview()}`)
  const args = given.filter((argument) => argument !== '--no-build')
  return {
    build: args.length < given.length ? [] : entry.build,
    run: [...entry.run, ...args],
    needsWorld: entry.needsWorld ?? false,
  }
}

/** Runs a program to its end, which a signal hastens; its exit code. */
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
  // Node reads all of them at each start, which took 50 of 77 ms, and few computers have any.
  delete process.env.NODE_EXTRA_CA_CERTS
  if (needsWorld) demandWorld()
  for (const command of [...build, program]) {
    process.exitCode = await run(command)
    if (process.exitCode !== 0) return
  }
}

if (isMain(import.meta.url)) runMain(() => main(process.argv.slice(2)))
