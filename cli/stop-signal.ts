/** Ctrl C and the system's request to end. */

/** What ended the command. */
export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Resolves at the first signal. A second one ends the process at once. */
export const stopSignal = (): Promise<StopSignal> =>
  new Promise((resolve) => {
    let isStopping = false
    const onSignal = (signal: StopSignal, exitCode: number): void => {
      if (isStopping) process.exit(exitCode)
      isStopping = true
      resolve(signal)
    }
    process.on('SIGINT', () => onSignal('SIGINT', 130))
    process.on('SIGTERM', () => onSignal('SIGTERM', 143))
    // The terminal window was closed.
    process.on('SIGHUP', () => onSignal('SIGTERM', 143))
  })
