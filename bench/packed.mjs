#!/usr/bin/env node
// packed.mjs PROGRAM...: the time that these packed apps and the checkout take to their first picture, and their memory
// then. Runs alternate, so that other load affects all of them alike. THRU_BENCH_RUNS is the number of runs (5). Linux,
// on the screen of $DISPLAY, as in
// `xvfb-run -a node --experimental-websocket bench/packed.mjs out/package/linux-x64/tree/bin/thruflux`.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { electronRuntime } from '../scripts/electron-runtime.mjs'
import { askPage } from '../scripts/fresh/ask-page.mjs'
import { root } from '../scripts/lib/cache.mjs'
import { Failure, runMain } from '../scripts/lib/failure.mjs'

const port = 9444
const runs = Number(process.env.THRU_BENCH_RUNS ?? 5)
const asRoot = process.getuid() === 0 ? ['--no-sandbox'] : []

/** Time of the page's first content, in milliseconds since 1970. */
const firstPicture = `(() => {
  const paint = performance.getEntriesByName('first-contentful-paint')[0]
  return paint && performance.timeOrigin + paint.startTime
})()`

/**
 * Memory in MB of all processes with this profile on their command line and their children; shared pages count in part.
 */
function memoryOf(profile) {
  const read = (pid, name) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8')
    } catch {
      return ''
    }
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(
    pids.map((pid) => [pid, /\nPPid:\s+(\d+)/.exec(read(pid, 'status'))?.[1]]),
  )
  const isOurs = (pid) =>
    pid !== undefined && (read(pid, 'cmdline').includes(profile) || isOurs(parents.get(pid)))
  const kilobytes = pids
    .filter(isOurs)
    .map((pid) => Number(/\nPss:\s+(\d+)/.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0))
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024
}

async function start([program, ...args], profile) {
  const begun = Date.now()
  const all = [
    ...args,
    ...asRoot,
    '--no-lan',
    `--user-data-dir=${profile}`,
    `--remote-debugging-port=${port}`,
  ]
  const child = spawn(program, all, { cwd: root, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    for (let tries = 0; tries < 600; tries++) {
      const picture = await askPage(port, firstPicture).catch(() => undefined)
      if (picture) {
        await delay(3000)
        return { seconds: (picture - begun) / 1000, megabytes: memoryOf(profile) }
      }
      await delay(50)
    }
    throw new Failure(`${program} showed nothing in 30 s.`)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

runMain(async () => {
  const { executable } = await electronRuntime()
  const commands = [[executable, root], ...process.argv.slice(2).map((program) => [program])]
  const profiles = commands.map(() => mkdtempSync(join(tmpdir(), 'thruflux-packed-')))
  const taken = commands.map(() => [])
  for (let round = 0; round <= runs; round++) {
    for (const [index, command] of commands.entries()) {
      const figures = await start(command, profiles[index])
      // The first start of each program is a warm-up.
      if (round > 0) taken[index].push(figures)
    }
  }
  for (const profile of profiles) rmSync(profile, { recursive: true, force: true })
  for (const [index, [program]] of commands.entries()) {
    const seconds = taken[index].map((figures) => figures.seconds)
    const list = seconds.map((each) => each.toFixed(2)).join(' ')
    const megabytes = median(taken[index].map((figures) => figures.megabytes)).toFixed(0)
    console.log(
      `${index === 0 ? 'the checkout' : program}: ${median(seconds).toFixed(2)} s (${list}), ${megabytes} MB`,
    )
  }
  console.log(`load ${loadavg()[0].toFixed(1)}`)
})
