/** Ctrl C and the system's request to end. */
import { endPromptly } from './process-end'

/** What ended the command. */
export type StopSignal = 'SIGINT' | 'SIGTERM'

/**
 * Resolves at the first signal. A second one ends the process within a second. SIGHUP is no such signal for
 * whom it means `onHangup`.
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
