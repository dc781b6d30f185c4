// Runs one transfer with one tool and measures its cost.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as after } from 'node:timers/promises'

const sides = ['sender', 'receiver', 'server']
const sampleMs = 100
/** Time limit for a daemon to start listening. */
const readyMs = 20_000

/** Resolves with undefined if `work` takes longer. */
const within = (milliseconds, work) => {
  const limit = new AbortController()
  const late = after(milliseconds, undefined, { signal: limit.signal }).catch(() => undefined)
  return Promise.race([work, late]).finally(() => limit.abort())
}

/** Returns the bytes allocated on the disk below a folder, without space that is only reserved. */
function bytesBelow(path) {
  const about = statSync(path, { throwIfNoEntry: false })
  if (!about?.isDirectory()) return (about?.blocks ?? 0) * 512
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0)
}

/** Compares received files, in `out` or a folder with the source's name, with the source. Undefined if equal. */
function difference(source, out, ignored) {
  const name = join(out, basename(source))
  const target = statSync(name, { throwIfNoEntry: false }) ? name : out
  const skipped = ignored.flatMap((pattern) => ['-x', pattern])
  const { status, stdout } = spawnSync('diff', ['-rq', ...skipped, source, target], {
    encoding: 'utf8',
  })
  return status === 0 ? undefined : `differs: ${stdout.split('\n')[0]}`
}

async function startDaemons(tool, lab, places) {
  const started = []
  for (const { place, argv, ready, port } of tool.daemons?.(lab) ?? []) {
    const daemon = places[place].start(argv, { cwd: lab.work, env: tool.env?.(lab, place) })
    started.push(daemon)
    const listens = ready ? daemon.match(ready) : listening(lab, place, port)
    if (!(await within(readyMs, listens)))
      throw new Error(`${basename(argv[0])} doesn't listen: ${daemon.text}`)
  }
  return started
}

/** Resolves with true when a program listens on a port of a place. */
export async function listening(lab, place, port) {
  const [command, ...args] = [...lab.prefix(place), 'ss', '-Hltun']
  const pattern = new RegExp(`:${port}\\s`)
  while (!pattern.test(execFileSync(command, args, { encoding: 'utf8' }))) await after(50)
  return true
}

/** Runs sender and receiver until the transfer has ended; the receiver starts once the code is known. */
async function carryOut(tool, lab, places, running) {
  const start = (place, argv) => {
    const env = { ...tool.env?.(lab, place), ...(lab.code && tool.codeEnv?.(lab.code)) }
    const prefix = lab.prefix(place)
    const program = places[place].start(argv, { cwd: lab.cwd[place], env, prefix })
    running.push(program)
    return program
  }
  const sender = tool.send && start('sender', tool.send(lab))
  if (tool.code) {
    const found = await sender.match(tool.code)
    if (!found) return `no code: ${sender.text.trim().split('\n').at(-1)}`
    lab.code = found.slice(1).find(Boolean)
  }
  const last = tool.receive ? start('receiver', tool.receive(lab)) : sender
  const exitCode = await last.ended
  return exitCode === 0 ? '' : `exit code ${exitCode}: ${last.text.trim().split('\n').at(-1)}`
}

/**
 * Sends the source once over `network`, into memory or onto a `disk`. Returns the seconds from the sender's start to
 * the receiver's end, Mbit/s, and each side's CPU seconds and peak memory. A failed transfer also returns its `error`.
 */
export async function trial(tool, context) {
  const { network, places, source, total, seconds, memory, disk } = context
  const work = join(memory, 'work')
  const out = join(disk?.path ?? memory, 'out')
  for (const folder of [work, out, ...sides.map((side) => join(work, side))]) mkdirSync(folder)
  const lab = {
    ...{ source, out, work, code: '' },
    cwd: { sender: dirname(source), receiver: out },
    isTree: statSync(source).isDirectory(),
    path: network.path,
    isTranslated: Object.keys(network.nat).length > 0,
    address: network.address,
    prefix: network.prefix,
  }
  const running = []
  let daemons = []
  const cpu = () => Object.fromEntries(sides.map((side) => [side, places[side].cpuSeconds()]))
  try {
    await tool.prepare?.(lab)
    daemons = await startDaemons(tool, lab, places)
    const before = cpu()
    const sampling = setInterval(
      () => sides.forEach((side) => places[side].samplePeaks()),
      sampleMs,
    )
    const begun = performance.now()
    const ended = await within(seconds * 1000, carryOut(tool, lab, places, running))
    const took = (performance.now() - begun) / 1000
    clearInterval(sampling)
    const after = cpu()
    const error = ended ?? `unfinished after ${seconds} s`
    const arrived = error ? Math.min(total, bytesBelow(out)) : total
    const used = (side) => (after[side] === undefined ? undefined : after[side] - before[side])
    return {
      seconds: took,
      mbit: (arrived * 8) / took / 1e6,
      arrived,
      cpu: Object.fromEntries(sides.map((side) => [side, used(side)])),
      peak: Object.fromEntries(sides.map((side) => [side, places[side].takePeak()])),
      load: loadavg()[0],
      error: error || difference(source, out, tool.ignored ?? []),
    }
  } catch (error) {
    return { error: error.message, load: loadavg()[0] }
  } finally {
    for (const side of sides) await places[side].stop()
    for (const { child } of [...running, ...daemons]) child.kill('SIGKILL')
    for (const folder of [work, out]) rmSync(folder, { recursive: true, force: true })
    disk?.remount() // This tool's pending writes must not slow down the next one.
  }
}
