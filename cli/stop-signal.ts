/** Ctrl C and the system's request to end. */
import { endPromptly } from './process-end'

/** What ended the command. */
export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Resolves at the first signal. A second one ends the process within a second. */
export const stopSignal = (): Promise<StopSignal> =>
  new Promise((resolve) => {
    let isStopping = false
    const onSignal = (signal: StopSignal, exitCode: number): void => {
      if (isStopping) endPromptly(exitCode)
      isStopping = true
      resolve(signal)
    }
    process.on('SIGINT', () => onSignal('SIGINT', 130))
    process.on('SIGTERM', () => onSignal('SIGTERM', 143))
    // The terminal window was closed.
    process.on('SIGHUP', () => onSignal('SIGTERM', 143))
  })
