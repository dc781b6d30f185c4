import { expect, it, onTestFinished, vi } from 'vitest'
import { limitExit } from '../../terminal/process-end'
import { stopSignal } from '../../terminal/stop-signal'

/** Runs `add`; returns the listeners that it added to an event of the process. */
function addedTo(event: string, add: () => void): readonly ((...args: unknown[]) => void)[] {
  const listeners = () => process.listeners(event as 'exit') as ((...args: unknown[]) => void)[]
  const before = listeners()
  add()
  const added = listeners().filter((each) => !before.includes(each))
  onTestFinished(() => added.forEach((each) => process.removeListener(event, each)))
  return added
}

it('a second Ctrl-C ends the process within a second', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  onTestFinished(() => exit.mockRestore())
  const endProcessWithin = vi.fn()
  const [onExit] = addedTo('exit', () => limitExit({ endProcessWithin }))
  let stopped = Promise.resolve('')
  const [onInterrupt] = addedTo('SIGINT', () => {
    stopped = stopSignal()
  })
  onInterrupt?.()
  expect(await stopped).toBe('SIGINT')
  expect(exit).not.toHaveBeenCalled()
  onInterrupt?.()
  expect(exit).toHaveBeenCalledExactlyOnceWith(130)
  onExit?.call(process, 130)
  expect(endProcessWithin).toHaveBeenCalledExactlyOnceWith(1000, 130)
})
