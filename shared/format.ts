/** Figures as text, the same in the window and in the terminal: decimal units, no locale. */
import { plural } from '#shared/plural'

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** The unit in which `bytes` is shown: the largest in which it does not round below 1. */
function unitIndex(bytes: number): number {
  let index = 0
  let value = bytes
  while (index < units.length - 1 && Number(digits(value, index)) >= 1000) {
    value /= 1000
    index += 1
  }
  return index
}

/** One digit after the point below 100, none above; bytes themselves are whole. */
function digits(value: number, index: number): string {
  if (index === 0) return Math.round(value).toString()
  const short = value.toFixed(1)
  return Number(short) < 100 ? short : Math.round(value).toString()
}

const inUnit = (bytes: number, index: number): string => digits(bytes / 1000 ** index, index)

/** `84.2 GB`, `118 MB`, `512 B`. */
export function formatBytes(bytes: number): string {
  const index = unitIndex(bytes)
  return `${inUnit(bytes, index)} ${units[index] ?? ''}`
}

/** `38.4 of 61.9 GB`: both in the total's unit. */
export function formatBytesOf(bytes: number, totalBytes: number): string {
  const index = unitIndex(totalBytes)
  return `${inUnit(bytes, index)} of ${inUnit(totalBytes, index)} ${units[index] ?? ''}`
}

/** `118 MB/s`. */
export const formatRate = (bytesPerSecond: number): string => `${formatBytes(bytesPerSecond)}/s`

/** `12,480`. */
export const formatCount = (count: number): string =>
  Math.round(count)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',')

/** `1 file`, `12,480 files`; `many` when the plural needs more than an s. */
export const formatCounted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${plural(count, { one, other: many })}`

/** `62%`; 100 only when nothing is missing. An empty transfer is complete. */
export function formatPercent(part: number, whole: number): string {
  const percent = whole <= 0 ? 100 : Math.floor((part / whole) * 100)
  return `${Math.min(100, Math.max(0, percent))}%`
}

const parts = (pairs: readonly (readonly [number, string])[]): string =>
  pairs
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')

/** How long something took: `8 s`, `9 min 8 s`, `1 h 5 min`, `2 d 3 h`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return parts([[minutes, 'min'] as const, [seconds % 60, 's'] as const])
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return parts([[hours, 'h'] as const, [minutes % 60, 'min'] as const])
  return parts([[Math.floor(hours / 24), 'd'] as const, [hours % 24, 'h'] as const])
}

/** How long it will take, no more exact than it can be: seconds only under 5 minutes. */
export function formatTimeLeft(seconds: number): string {
  const step = seconds < 60 ? 1 : seconds < 300 ? 10 : 60
  return formatDuration(Math.max(1, Math.ceil(seconds / step) * step) * 1000)
}

/** `482 913`: a safety number as two people read it to each other. */
export const formatSafety = (safety: string): string => `${safety.slice(0, 3)} ${safety.slice(3)}`
