import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { ok } from '#shared/result'
import type { LogEvent } from '#signaling/log'
import { firstUncaughtError, lastMs, runServer } from '#signaling/run-server'
import { FakeClock } from './fake-clock.ts'

const never = new Promise<never>(() => undefined)

/** A program whose server ends its drain when the test says so. */
function program() {
  const events = new EventEmitter()
  const clock = new FakeClock()
  const logged: LogEvent[] = []
  let drained = (): void => undefined
  let closes = 0
  let isLeaving = false
  const closed = new Promise<void>((resolve) => {
    drained = resolve
  })
  const server = {
    port: 1,
    url: '',
    metricsPort: null,
    reload: () => ok([]),
    close: () => {
      closes += 1
      return closed
    },
    leave: () => {
      closes += 1
      isLeaving = true
      return closed
    },
  }
  const uncaught = firstUncaughtError((event) => logged.push(event), events)
  const run = (stopped: Promise<unknown>) => runServer(server, stopped, uncaught, clock)
  return { events, clock, logged, run, drained, closes: () => closes, isLeaving: () => isLeaving }
}

it('drains when it is stopped, and succeeds', async () => {
  const { run, drained, closes, logged } = program()
  const end = run(Promise.resolve())
  drained()
  expect(await end).toBe(true)
  expect(closes()).toBe(1)
  expect(logged).toEqual([])
})

it.each(['uncaughtException', 'unhandledRejection'])(
  'logs an %s, drains and ends badly',
  async (kind) => {
    const { events, run, drained, closes, logged } = program()
    const end = run(never)
    events.emit(kind, new Error('a bug'))
    drained()
    expect(await end).toBe(false)
    expect(closes()).toBe(1)
    expect(logged).toEqual([{ event: 'failed', stack: expect.stringContaining('a bug') as string }])
  },
)

it('fails if an error occurs during the drain', async () => {
  const { events, run, drained, logged } = program()
  const end = run(Promise.resolve())
  await Promise.resolve()
  events.emit('unhandledRejection', 'late')
  drained()
  expect(await end).toBe(false)
  expect(logged).toEqual([{ event: 'failed', stack: 'late' }])
})

it('aborts a staged drain after an error', async () => {
  const { events, clock, run, closes, isLeaving } = program()
  const end = run(Promise.resolve())
  await expect.poll(isLeaving).toBe(true)
  events.emit('uncaughtException', new Error('a bug'))
  await expect.poll(closes).toBe(2)
  clock.advance(lastMs)
  expect(await end).toBe(false)
})

it('gives up a drain that an error keeps from ending', async () => {
  const { events, clock, run, closes } = program()
  const end = run(never)
  events.emit('uncaughtException', new Error('a bug'))
  events.emit('uncaughtException', new Error('another'))
  while (closes() === 0) await Promise.resolve()
  clock.advance(lastMs)
  expect(await end).toBe(false)
})
