/**
 * What docs/performance.md says of the window, printed and not judged: `npm run bench:window`. Linux,
 * after a build; THRU_BENCH_RUNS is how often each figure is taken (5).
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
import { cpuSeconds, memoryBytes, processTree, wakeUps } from './processes'

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

test('time until the window can be used', async () => {
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

/** Milliseconds from the start of the process to the first picture, by the page's own clock. */
async function startTime(profile: string, port: number): Promise<number> {
  const startedAt = Date.now()
  const app = await launchUnwatched(profile, port)
  await after(4000)
  const paintedAt = await evaluateIn(
    port,
    "performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0].startTime",
  )
  app.kill()
  await once(app, 'exit')
  return paintedAt - startedAt
}

/** Asks the page behind a debugging port for a number; Playwright can't join an Electron that it didn't start. */
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

test('what an idle window takes', async () => {
  const running = await launch()
  await running.page.waitForSelector('.app')
  await after(5000)
  const pids = await processTree(pidOf(running))
  const before = { cpu: await cpuSeconds(pids), wakeUps: await wakeUps(pidOf(running)) }
  await after(idleMs)
  const seconds = idleMs / 1000
  const cpu = (((await cpuSeconds(pids)) - before.cpu) / seconds) * 100
  const woken = ((await wakeUps(pidOf(running))) - before.wakeUps) / seconds
  const memory = (await memoryBytes(pids)) / 1e6
  report('idle: CPU of all processes', `${cpu.toFixed(2)} % of a core`)
  report('idle: wake-ups of the main process', `${woken.toFixed(1)} per second`)
  report('idle: memory of all processes (PSS)', `${Math.round(memory).toString()} MB`)
  await running.close()
})

test('frames while ten receivers get 100,000 files', async () => {
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

test('what the window costs a transfer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thruflux-bench-'))
  const source = join(folder, 'noise.bin')
  await writeFile(source, randomBytes(transferBytes))
  const port = 18_700 + (process.pid % 200)
  const server = program(['serve', '--host', '127.0.0.1', '--port', port.toString()])
  const place: Place = { source, folder, url: `ws://127.0.0.1:${port.toString()}` }
  const rates = { command: [] as number[], window: [] as number[] }
  for (let run = 0; run < runs; run += 1) {
    rates.command.push(await rateOf(place, joinByCommand))
    rates.window.push(await rateOf(place, joinByWindow))
  }
  server.kill()
  await rm(folder, { recursive: true })
  const command = median(rates.command)
  const window = median(rates.window)
  report('thru to thru', `${Math.round(command).toString()} MB/s`)
  report('thru to the window', `${Math.round(window).toString()} MB/s`)
  report('  what the window costs', `${(100 * (1 - window / command)).toFixed(1)} %`)
})

type Place = { readonly source: string; readonly folder: string; readonly url: string }

/** Joins, accepts, and ends when `isDone` does. */
type Join = (code: string, place: Place, isDone: Promise<unknown>) => Promise<void>

const program = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(repository, 'out/cli/thru.cjs'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** MB/s from the acceptance to the end, by the sender's clock. */
async function rateOf(place: Place, joinBy: Join): Promise<number> {
  const { source, url, folder } = place
  const host = program(['host', source, '--json', '--no-lan', '--once', '--server-url', url])
  if (host.stdout === null) throw new Error('thru has no output')
  let rate = NaN
  let joined = Promise.resolve()
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
  await joined
  await rm(join(folder, 'received'), { recursive: true, force: true })
  return rate
}

type Said =
  | { readonly type: 'code'; readonly code: string }
  | { readonly type: 'done'; readonly bytes: number; readonly durationMs: number }
  | { readonly type: 'other' }

const joinByCommand: Join = async (code, { url, folder }) => {
  const out = join(folder, 'received')
  const joining = program(['join', code, '--yes', '--no-lan', '--out', out, '--server-url', url])
  await once(joining, 'exit')
}

const joinByWindow: Join = async (code, { url, folder }, isDone) => {
  const downloads = join(folder, 'received')
  await mkdir(downloads)
  const running = await launch({ args: [`--server-url=${url}`, `--downloads=${downloads}`] })
  await homeScreen(running.page).enterCode(code)
  await previewSheet(running.page).receive.click()
  await isDone
  await running.close()
}
