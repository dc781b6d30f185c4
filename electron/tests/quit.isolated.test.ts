import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const hide = vi.hoisted(() => vi.fn())

vi.mock('electron', () => ({ BrowserWindow: { getAllWindows: () => [{ hide }] } }))

const { closeBeforeQuit } = await import('../main/quit')

const nothing = () => Promise.resolve()
const endWithin = vi.fn()

function fakeApp() {
  const events = new EventEmitter()
  const prevented = vi.fn()
  const exit = vi.fn()
  const app = Object.assign(events, {
    exit,
    quit: () => events.emit('before-quit', { preventDefault: prevented }),
  })
  return { app: app as unknown as App, exit, prevented }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  endWithin.mockReset()
  vi.useRealTimers()
})

describe('closeBeforeQuit', () => {
  it('ends only after everything has closed, once', async () => {
    const { app, exit, prevented } = fakeApp()
    let closed = (): void => undefined
    const last = vi.fn(() => Promise.resolve())
    const close = vi.fn(() => new Promise<void>((resolve) => (closed = resolve)))
    closeBeforeQuit(app, { close, last, endWithin })
    app.quit()
    app.quit()
    await vi.advanceTimersByTimeAsync(100)
    expect(prevented).toHaveBeenCalledTimes(2)
    expect(hide).toHaveBeenCalled()
    expect(exit).not.toHaveBeenCalled()
    expect(last).not.toHaveBeenCalled()
    closed()
    await vi.advanceTimersByTimeAsync(0)
    expect(exit).toHaveBeenCalledExactlyOnceWith(0)
    expect(close).toHaveBeenCalledOnce()
    expect(last).toHaveBeenCalledOnce()
  })

  it('does not wait forever', async () => {
    const { app, exit } = fakeApp()
    const never = () => new Promise<void>(() => undefined)
    closeBeforeQuit(app, { close: never, last: never, endWithin })
    app.quit()
    await vi.advanceTimersByTimeAsync(5000)
    expect(exit).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(exit).toHaveBeenCalledOnce()
  })

  it('ends although closing fails', async () => {
    const { app, exit } = fakeApp()
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    closeBeforeQuit(app, {
      close: () => Promise.reject(new Error('a bug')),
      last: nothing,
      endWithin,
    })
    app.quit()
    await vi.advanceTimersByTimeAsync(0)
    expect(exit).toHaveBeenCalledOnce()
    expect(log).toHaveBeenCalledOnce()
    log.mockRestore()
  })

  it('ends with its last window', async () => {
    const { app, exit } = fakeApp()
    closeBeforeQuit(app, { close: nothing, last: nothing, endWithin })
    app.emit('window-all-closed')
    await vi.advanceTimersByTimeAsync(0)
    expect(exit).toHaveBeenCalledOnce()
  })

  it('limits each step of the end', async () => {
    const { app, exit } = fakeApp()
    const bounds = (): readonly unknown[] => endWithin.mock.calls.flat()
    const never = () => new Promise<void>(() => undefined)
    closeBeforeQuit(app, { close: never, last: never, endWithin })
    app.quit()
    expect(bounds()).toEqual([20_000])
    await vi.advanceTimersByTimeAsync(5000)
    expect(bounds()).toEqual([20_000, 75_000])
    expect(exit).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bounds()).toEqual([20_000, 75_000, 15_000])
    expect(exit).toHaveBeenCalledOnce()
  })

  it('gives a process that has closed everything only a moment', async () => {
    const { app, exit } = fakeApp()
    exit.mockImplementation(() => expect(endWithin).toHaveBeenLastCalledWith(5000))
    closeBeforeQuit(app, { close: nothing, last: nothing, endWithin })
    app.quit()
    await vi.advanceTimersByTimeAsync(0)
    expect(exit).toHaveBeenCalledOnce()
  })
})
