// Child processes: quiet ones whose output goes to a log file, and small ones whose output is the answer.
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'
import { Failure } from './failure.mjs'

/** The trimmed standard output of a command, or undefined when it fails or does not exist. */
export function capture(command, args, options = {}) {
  const result = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 << 20,
    ...options,
  })
  return result.status === 0 ? result.stdout.trim() : undefined
}

/** The end of what a program said for the terminal, `count` lines of it; compiler command lines are cut short. */
export function lastLines(text, count = 40) {
  const lines = text.trimEnd().split('\n').slice(-count)
  return lines.map((line) => (line.length > 240 ? `${line.slice(0, 240)} ...` : line)).join('\n')
}

/** Its children inherit it; a program that has ended needs none. */
function lowerPriority(pid) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch (error) {
    if (error.info?.code !== 'ESRCH') throw error
  }
}

/**
 * Runs a command with all output appended to `log`; rejects with a Failure that carries the last lines and the
 * log's name. `what` names the step in that message. `behind` other programs it takes only what they leave of the cores.
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
      reject(new Failure(`${what}: cannot run ${command}: ${error.message}.`)),
    )
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else {
        const tail = lastLines(readFileSync(log, 'utf8'))
        reject(
          new Failure(
            `${tail}\n\n${what} failed (${signal ?? `exit ${code}`}): the full output is in ${log}.`,
          ),
        )
      }
    })
  })
}

/** More than any step says; what was said before is dropped, in characters. */
const maxCaptureLength = 1 << 22

/**
 * Runs a command, `behind` other programs with what they leave of the cores, its output also `shown` on the terminal;
 * ends it after `timeout` ms. Resolves with whether it exited with 0 and with what it said.
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
      say(`${command} cannot be run: ${error.message}.\n`)
      done(false)
    })
    child.on('close', (code) => done(code === 0))
  })
}
