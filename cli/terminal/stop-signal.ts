/** Ctrl-C and the system's termination signals. */
import { endPromptly } from './process-end'

/** The signal that ended the command. */
export type StopSignal = 'SIGINT' | 'SIGTERM'

/**
 * Resolves at the first signal. A second one ends the process within a second. With `onHangup`, SIGHUP
 * calls it instead.
 */
export const stopSignal = (onHangup?: () => void): Promise<StopSignal> =>
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
    process.on('SIGHUP', onHangup ?? (() => onSignal('SIGTERM', 143)))
  })
