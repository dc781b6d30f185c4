/**
 * Removes the join code of the command line from the process list, before anything else runs. Programs
 * that this one starts inherit no variables meant for it alone. This is the program's first import.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

/** The value of `THRU_CODE`, which no program started by this one inherits. */
export const codeVariable = process.env['THRU_CODE']
delete process.env['THRU_CODE']
// This variable makes the app's executable run as Node. Child processes, such as another Electron app, must not inherit it.
delete process.env['ELECTRON_RUN_AS_NODE']
if (codeVariable !== undefined && process.platform === 'linux') overwrite('THRU_CODE=')

// On Linux and macOS this overwrites the arguments that the system shows; Node keeps its own copy.
process.title = 'thru'

/**
 * Linux keeps showing the original environment to this account's programs, including deleted variables.
 * It is in this process's memory at `env_start` (proc_pid_stat(5), field 50).
 */
function overwrite(beginning: string): void {
  try {
    const variables = readFileSync('/proc/self/environ', 'latin1')
    const at = `\0${variables}`.indexOf(`\0${beginning}`)
    if (at < 0) return
    const end = variables.indexOf('\0', at)
    const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
    const memory = openSync('/proc/self/mem', 'r+')
    writeSync(memory, Buffer.alloc(end - at), 0, end - at, Number(fields[50 - 3]) + at)
    closeSync(memory)
  } catch {
    // A sandbox may forbid it; only this precaution is lost.
  }
}
