/**
 * Measures the window's figures for docs/performance.md and prints them without a verdict: `npm run bench -- window`.
 * Linux, after a build; THRU_BENCH_RUNS is the number of measurements of each figure (5).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { WebSocket } from 'ws'
import { repository } from '../build-stage'
import { launch, launchUnwatched, type RunningApp } from '../launch'
import { homeScreen, previewSheet } from '../screens/window'
import { launchStage } from '../stage/stage-app'
import { manyReceivers } from './many-receivers'
import { cpuSeconds, memoryBytes, processTree, wakeUps, wokenBetween } from './processes'

const runs = Number(process.env['THRU_BENCH_RUNS'] ?? 5)
const idleMs = 20_000
const transferBytes = 1_000_000_000

test.describe.configure({ timeout: 600_000 })

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

function report(figure: string, value: string): void {
  console.log(`${figure.padEnd(48)} ${value} (load ${(loadavg()[0] ?? 0).toFixed(1)})`)
}

const pidOf = ({ app }: RunningApp): number => app.process().pid ?? 0

test('time until the window is usable', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'thruflux-bench-'))
  const times: number[] = []
  // The first start is cold and not counted.
  for (let run = 0; run <= runs; run += 1) {
    const time = await startTime(profile, 19_200 + (process.pid % 200))
    if (run > 0) times.push(time)
  }
  await rm(profile, { recursive: true })
  report('start to first picture of the app, warm', `${Math.round(median(times)).toString()} ms`)
})

/** Milliseconds from the start of the process to the first paint, by the page's own clock. */
async function startTime(profile: string, port: number): Promise<number> {
  const startedAt = Date.now()
  const app = await launchUnwatched(profile, [`--remote-debugging-port=${port.toString()}`])
  await after(4000)
  const paintedAt = await evaluateIn(
    port,
    "performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0].startTime",
  )
  app.kill()
  await once(app, 'exit')
  return paintedAt - startedAt
}

/**
 * Evaluates a number in the page behind a debugging port; Playwright can't attach to an Electron that it didn't start.
 */
async function evaluateIn(port: number, expression: string): Promise<number> {
  const list = await fetch(`http://127.0.0.1:${port.toString()}/json/list`)
  const [page] = (await list.json()) as { readonly webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(page?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }))
  const [reply] = (await once(socket, 'message')) as [Buffer]
  socket.close()
  const { result } = JSON.parse(reply.toString()) as Evaluated
  return result.result.value ?? NaN
}

type Evaluated = { readonly result: { readonly result: { readonly value?: number } } }

test('resources of an idle window, compared with an empty app', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thruflux-bench-'))
  const file = join(folder, 'shared.bin')
  await writeFile(file, randomBytes(1000))
  await idle('idle', folder)
  await idle('waiting for receivers', folder, [file])
  await idle('an empty app', folder, [], join(import.meta.dirname, 'empty-app.cjs'))
  await rm(folder, { recursive: true })
})

/** After a start, Chromium collects garbage and tidies its caches for a while. */
const settlingMs = 30_000

async function idle(
  what: string,
  folder: string,
  args: readonly string[] = [],
  entry?: string,
): Promise<void> {
  const app = await launchUnwatched(join(folder, what), args, entry)
  await after(settlingMs)
  const pids = await processTree(app.pid ?? 0)
  const before = { cpu: await cpuSeconds(pids), wakeUps: await wakeUps(pids) }
  await after(idleMs)
  const seconds = idleMs / 1000
  const cpu = (((await cpuSeconds(pids)) - before.cpu) / seconds) * 100
  const woken = wokenBetween(before.wakeUps, await wakeUps(pids)) / seconds
  const memory = (await memoryBytes(pids)) / 1e6
  app.kill()
  await once(app, 'exit')
  report(`${what}: CPU of all processes`, `${cpu.toFixed(2)} % of a core`)
  report(`${what}: wake-ups of all threads`, `${woken.toFixed(1)} per second`)
  report(`${what}: memory of all processes (PSS)`, `${Math.round(memory).toString()} MB`)
}

test('frame times while ten receivers receive 100,000 files', async () => {
  const stage = await launchStage()
  await stage.enter('home')
  const scene = manyReceivers(10, 100_000)
  await stage.play(scene.begin(Date.now()))
  await expect(stage.page.locator('.peer')).toHaveCount(10)
  const over = new AbortController()
  const feed = (async () => {
    while (!over.signal.aborted) {
      await stage.play(scene.progress(Date.now()))
      await after(100)
    }
  })()
  const { frames, worstMs } = await stage.page.evaluate(
    (durationMs) =>
      new Promise<{ frames: number; worstMs: number }>((resolve) => {
        const startedAt = performance.now()
        let last = startedAt
        let frames = 0
        let worstMs = 0
        const count = (now: number): void => {
          frames += 1
          worstMs = Math.max(worstMs, now - last)
          last = now
          if (now - startedAt < durationMs) requestAnimationFrame(count)
          else resolve({ frames: (frames / (now - startedAt)) * 1000, worstMs })
        }
        requestAnimationFrame(count)
      }),
    5000,
  )
  over.abort()
  await feed
  report('frames with 10 receivers and 100,000 files', `${frames.toFixed(1)} per second`)
  report('  the longest gap between two frames', `${Math.round(worstMs).toString()} ms`)
  await stage.close()
})

test('cost of the window for a transfer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thruflux-bench-'))
  const source = join(folder, 'noise.bin')
  await writeFile(source, randomBytes(transferBytes))
  const port = 18_700 + (process.pid % 200)
  const server = program(['serve', '--host', '127.0.0.1', '--port', port.toString()])
  const place: Section = { source, folder, url: `ws://127.0.0.1:${port.toString()}` }
  const taken = { command: [] as Taken[], window: [] as Taken[] }
  for (let run = 0; run < runs; run += 1) {
    taken.command.push(await transfer(place, joinByCommand))
    taken.window.push(await transfer(place, joinByWindow))
  }
  server.kill()
  await rm(folder, { recursive: true })
  const rate = (all: readonly Taken[]): number => median(all.map((one) => one.rate))
  const cpu = (all: readonly Taken[]): number => median(all.map((one) => one.cpu))
  report('thru to thru', `${Math.round(rate(taken.command)).toString()} MB/s`)
  report('thru to the window', `${Math.round(rate(taken.window)).toString()} MB/s`)
  const cost = 1 - rate(taken.window) / rate(taken.command)
  report('  what the window costs', `${(100 * cost).toFixed(1)} %`)
  report('CPU of a receiving thru', `${cpu(taken.command).toFixed(2)} s for a GB`)
  report('CPU of a receiving app, all processes', `${cpu(taken.window).toFixed(2)} s for a GB`)
})

type Section = { readonly source: string; readonly folder: string; readonly url: string }

/** Joins, accepts, and ends when `isDone` does. Returns the seconds of CPU since the acceptance. */
type Join = (code: string, place: Section, isDone: Promise<unknown>) => Promise<number>

/** MB/s from the acceptance to the end by the sender's clock, and the receiver's CPU seconds for a GB. */
type Taken = { readonly rate: number; readonly cpu: number }

const program = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(repository, 'out/cli/thru.cjs'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })

async function transfer(place: Section, joinBy: Join): Promise<Taken> {
  const { source, url, folder } = place
  const host = program(['host', source, '--json', '--no-lan', '--once', '--server-url', url])
  if (host.stdout === null) throw new Error('thru has no output')
  let rate = NaN
  let joined = Promise.resolve(NaN)
  let finish = (): void => undefined
  const isDone = new Promise<void>((resolve) => {
    finish = resolve
  })
  for await (const line of createInterface(host.stdout)) {
    const said = JSON.parse(line) as Said
    if (said.type === 'code') joined = joinBy(said.code, place, isDone)
    if (said.type === 'done') {
      rate = said.bytes / 1e3 / said.durationMs
      finish()
    }
  }
  finish()
  const cpu = (await joined) / (transferBytes / 1e9)
  await rm(join(folder, 'received'), { recursive: true, force: true })
  return { rate, cpu }
}

type Said =
  | { readonly type: 'code'; readonly code: string }
  | { readonly type: 'done'; readonly bytes: number; readonly durationMs: number }
  | { readonly type: 'accepted' }
  | { readonly type: 'other' }

const joinByCommand: Join = async (code, { url, folder }, isDone) => {
  const out = join(folder, 'received')
  const options = ['--yes', '--json', '--no-lan', '--out', out, '--server-url', url]
  const joining = program(['join', code, ...options])
  if (joining.stdout === null) throw new Error('thru has no output')
  const pids = [joining.pid ?? 0]
  const lines = createInterface(joining.stdout)
  const exited = once(joining, 'exit')
  let before = NaN
  let used = NaN
  for await (const line of lines) {
    const { type } = JSON.parse(line) as Said
    if (type === 'accepted') before = await cpuSeconds(pids)
    if (type === 'done') used = (await cpuSeconds(pids)) - before
  }
  await Promise.all([exited, isDone])
  return used
}

const joinByWindow: Join = async (code, { url, folder }, isDone) => {
  const downloads = join(folder, 'received')
  await mkdir(downloads)
  const running = await launch({ args: [`--server-url=${url}`, `--downloads=${downloads}`] })
  await homeScreen(running.page).enterCode(code)
  const { receive } = previewSheet(running.page)
  await expect(receive).toBeEnabled()
  const pids = await processTree(pidOf(running))
  const before = await cpuSeconds(pids)
  await receive.click()
  await isDone
  const used = (await cpuSeconds(pids)) - before
  await running.close()
  return used
}
