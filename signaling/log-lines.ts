import type { Log, LogEvent } from '#signaling/log'

/** Log levels; `info` has one line per session, `debug` also events that any stranger can cause. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const

/** The levels' numbers in the lines, which are those of pino and bunyan. */
const numbers = { error: 50, warn: 40, info: 30, debug: 20 } as const

/** One of `logLevels`. */
export type LogLevel = (typeof logLevels)[number]

const levels: { readonly [event in LogEvent['event']]: LogLevel } = {
  listening: 'info',
  monitored: 'info',
  draining: 'info',
  drained: 'info',
  reloaded: 'info',
  'reload-refused': 'error',
  'unnamed-client': 'warn',
  'heaviest-cut': 'warn',
  'upgrade-refused': 'debug',
  opened: 'debug',
  closed: 'debug',
  hosted: 'info',
  joined: 'info',
  'store-ready': 'info',
  'store-lost': 'error',
  evicted: 'error',
  released: 'warn',
  failed: 'error',
}

/** A log of JSON lines. */
export function createLog(level: LogLevel, output: { write(line: string): unknown }): Log {
  return (event) => {
    const number = numbers[levels[event.event]]
    if (number < numbers[level]) return
    output.write(`${JSON.stringify({ level: number, time: Date.now(), ...event })}\n`)
  }
}
