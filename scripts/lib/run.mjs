// Runs child processes: quiet ones with output to a log file, and small ones whose output is the result.
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'
import { Failure } from './failure.mjs'

/** Returns the trimmed standard output of a command, or undefined if it fails or doesn't exist. */
export function capture(command, args, options = {}) {
  const result = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 << 20,
    ...options,
  })
  return result.status === 0 ? result.stdout.trim() : undefined
}

/** Returns the last `count` lines of a program's output, cutting long ones such as compiler commands. */
export function lastLines(text, count = 40) {
  const lines = text.trimEnd().split('\n').slice(-count)
  return lines.map((line) => (line.length > 240 ? `${line.slice(0, 240)} ...` : line)).join('\n')
}

/** Lowers a process's priority, which its children inherit. Ignores a process that has ended. */
function lowerPriority(pid) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch (error) {
    if (error.info?.code !== 'ESRCH') throw error
  }
}

/**
 * Runs a command with all output appended to `log`; rejects with a Failure that has the last lines and the log's name.
 * `what` names the step in that message. `behind` lowers its priority.
 */
export function runLogged(what, command, args, { log, cwd, env, behind = false }) {
  mkdirSync(dirname(log), { recursive: true })
  const file = openSync(log, 'a')
  writeSync(file, `\n$ ${[command, ...args].join(' ')}\n`)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', file, file],
    })
    closeSync(file)
    if (behind && child.pid !== undefined) lowerPriority(child.pid)
    child.on('error', (error) =>
      reject(new Failure(`${what}: can't run ${command}: ${error.message}.`)),
    )
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else {
        const tail = lastLines(readFileSync(log, 'utf8'))
        reject(
          new Failure(
            `${tail}\n\n${what} failed (${signal ?? `exit ${code}`}). The full output is in ${log}.`,
          ),
        )
      }
    })
  })
}

/** Maximum characters of captured output, more than any step prints; older output is dropped. */
const maxCaptureLength = 1 << 22

/**
 * Runs a command, with low priority if `behind`, and with its output `shown` on the terminal; ends it after `timeout`
 * ms. Resolves with its output and `succeeded`, true for exit code 0.
 */
export function runCaptured(command, args, options) {
  const { cwd, env, shell = false, behind = false, shown = false, timeout } = options
  return new Promise((resolve) => {
    let output = ''
    const say = (text) => {
      output = (output + text).slice(-maxCaptureLength)
      if (shown) process.stdout.write(text)
    }
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      shell,
      timeout,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (behind && child.pid !== undefined) lowerPriority(child.pid)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', say)
    }
    const done = (succeeded) => resolve({ succeeded, output })
    child.on('error', (error) => {
      say(`${command} can't be run: ${error.message}.\n`)
      done(false)
    })
    child.on('close', (code) => done(code === 0))
  })
}
