import { afterEach, expect, it, vi } from 'vitest'
import { closeInTime, endLate, limitExit } from '../../terminal/process-end'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('the end of a process is limited once per engine, and keeps its exit code', () => {
  const before = process.listeners('exit')
  const endProcessWithin = vi.fn()
  limitExit({ endProcessWithin })
  limitExit({ endProcessWithin })
  const added = process.listeners('exit').filter((listener) => !before.includes(listener))
  expect(added).toHaveLength(1)
  for (const listener of added) {
    listener.call(process, 130)
    process.removeListener('exit', listener)
  }
  expect(endProcessWithin).toHaveBeenCalledExactlyOnceWith(15_000, 130)
})

it('a client that never closes is left behind', async () => {
  vi.useFakeTimers()
  const left = vi.fn()
  void closeInTime({ close: () => new Promise<void>(() => undefined) }).then(left)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(left).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  expect(left).toHaveBeenCalledOnce()
})

it('an idle process is ended, but not while its output is being read', async () => {
  vi.useFakeTimers()
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  const unread = vi.spyOn(process.stdout, 'writableLength', 'get').mockReturnValue(1)
  endLate()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(exit).not.toHaveBeenCalled()
  unread.mockReturnValue(0)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(exit).toHaveBeenCalled()
})
