import { type DestinationStream, pino } from 'pino'
import type { Log, LogEvent } from '#signaling/log'

/** Log levels; `info` has one line per session, `debug` also events that any stranger can cause. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const

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

/** A log of JSON lines, to standard output unless `destination` is given. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const lines = pino({ level, base: null }, destination)
  return (event) => lines[levels[event.event]](event)
}
