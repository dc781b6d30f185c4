/**
 * Hides the join code that the command was started with from other processes, before anything else
 * runs: it must not stay in the list of processes. Programs that this one starts also inherit nothing
 * that was meant for its own start. The first import of the program.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

/** `THRU_CODE`, which no program that this one starts gets to see. */
export const codeVariable = process.env['THRU_CODE']
delete process.env['THRU_CODE']
// The app's program became Node by this one. Whatever this program starts, such as another Electron app, shall not.
delete process.env['ELECTRON_RUN_AS_NODE']
if (codeVariable !== undefined && process.platform === 'linux') overwrite('THRU_CODE=')

// On Linux and macOS this overwrites the arguments that the system shows; Node keeps its own copy.
process.title = 'thru'

/**
 * Linux keeps showing the variables of the start to this account's programs, deleted ones too. They
 * stand in this process's memory from `env_start` on (proc_pid_stat(5), field 50).
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
    // A sandbox may forbid it: then nothing is lost but this precaution.
  }
}
