/**
 * Figures, dates and lists as text in the current language, the same in the window and in the terminal. The texts of a
 * transfer itself avoid `Intl`, whose first use takes 17 ms.
 */
import { language, languages } from '#shared/language'
import { type Figures, figures } from '#shared/text/figures'

/** One formatter for all calls in one language: creating one takes longer than all of its calls. */
function formatter<Formatter>(make: (locale: string) => Formatter): () => Formatter {
  let made: { readonly locale: string; readonly value: Formatter } | null = null
  return () => {
    const { locale } = languages[language]
    if (made?.locale !== locale) made = { locale, value: make(locale) }
    return made.value
  }
}

const wholeNumber = formatter((at) => new Intl.NumberFormat(at, { maximumFractionDigits: 0 }))

const smallPercent = formatter(
  (at) => new Intl.NumberFormat(at, { style: 'percent', maximumSignificantDigits: 2 }),
)

const milliseconds = formatter((at) => new Intl.NumberFormat(at, { maximumSignificantDigits: 2 }))

const lists = {
  and: formatter((at) => new Intl.ListFormat(at, { type: 'conjunction' })),
  or: formatter((at) => new Intl.ListFormat(at, { type: 'disjunction' })),
}

const day = formatter((at) => new Intl.DateTimeFormat(at, { dateStyle: 'medium' }))

const dayAndTime = formatter(
  (at) => new Intl.DateTimeFormat(at, { dateStyle: 'medium', timeStyle: 'short' }),
)

/** The current language's way of writing units. */
const own = (): Figures => figures[language]

/** The unit in which `bytes` is shown: the largest in which it does not round below 1. */
function unitIndex(bytes: number): number {
  let index = 0
  let value = bytes
  while (index < own().units.length - 1 && rounded(value, index) >= 1000) {
    value /= 1000
    index += 1
  }
  return index
}

/** One digit after the point below 100, none above; bytes themselves are whole. */
function rounded(value: number, index: number): number {
  if (index === 0) return Math.round(value)
  const short = Number(value.toFixed(1))
  return short < 100 ? short : Math.round(value)
}

function inUnit(bytes: number, index: number): string {
  const shown = rounded(bytes / 1000 ** index, index)
  return shown < 100 && index > 0 ? shown.toFixed(1).replace('.', own().point) : shown.toString()
}

/** Keeps a figure and its unit in this order in every language. */
const inOrder = (figure: string): string =>
  languages[language].direction === 'rtl' ? `\u2066${figure}\u2069` : figure

function size(bytes: number): string {
  const index = unitIndex(bytes)
  return `${inUnit(bytes, index)} ${own().units[index] ?? ''}`
}

/** `84.2 GB`, `118 MB`, `512 B`. */
export const formatBytes = (bytes: number): string => inOrder(size(bytes))

/** `38.4 of 61.9 GB`: both in the total's unit. */
export function formatBytesOf(bytes: number, totalBytes: number): string {
  const index = unitIndex(totalBytes)
  return own().partOf(inOrder(inUnit(bytes, index)), formatBytes(totalBytes))
}

/** `118 MB/s`. */
export const formatRate = (bytesPerSecond: number): string =>
  inOrder(`${size(bytesPerSecond)}${own().perSecond}`)

/** `12,480`. */
export const formatCount = (count: number): string =>
  Number.isInteger(count) && count >= 0 && count < 1000
    ? count.toString()
    : wholeNumber().format(count)

/** `62%`; 100 only when nothing is missing. An empty transfer is complete. */
export function formatPercent(part: number, whole: number): string {
  const percents = whole <= 0 ? 100 : Math.floor((part / whole) * 100)
  return inOrder(`${Math.min(100, Math.max(0, percents))}${own().percent}`)
}

/** `0.52%`, `12%`: a fraction from 0 to 1 of which small values matter. */
export const formatSmallPercent = (part: number): string => inOrder(smallPercent().format(part))

/** `0.21 ms`, `4.2 ms`, `142 ms`. */
export const formatRoundTrip = (ms: number): string =>
  inOrder(`${ms >= 100 ? formatCount(ms) : milliseconds().format(ms)} ms`)

const parts = (pairs: readonly (readonly [number, keyof Figures['duration']])[]): string =>
  pairs
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, unit]) => `${count}${own().duration[unit]}`)
    .join(' ')

/** `8 s`, `9 min 8 s`, `1 h 5 min`, `2 d 3 h`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000))
  if (seconds < 60) return parts([[seconds, 's']])
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60)
    return parts([
      [minutes, 'min'],
      [seconds % 60, 's'],
    ])
  const hours = Math.floor(minutes / 60)
  if (hours < 24)
    return parts([
      [hours, 'h'],
      [minutes % 60, 'min'],
    ])
  return parts([
    [Math.floor(hours / 24), 'd'],
    [hours % 24, 'h'],
  ])
}

/** Rounded up: to seconds below 1 minute, to tens of seconds below 5, else to minutes. */
export function formatTimeLeft(seconds: number): string {
  const step = seconds < 60 ? 1 : seconds < 300 ? 10 : 60
  return formatDuration(Math.max(1, Math.ceil(seconds / step) * step) * 1000)
}

/** `apple, ample or maple`. */
export const formatList = (items: readonly string[], word: 'and' | 'or'): string =>
  lists[word]().format(items)

/** `Nov 22, 2026`, in the computer's time zone, like all dates here. */
export const formatDay = (epochMs: number): string => day().format(epochMs)

/** `Nov 22, 2026, 2:05 PM`. */
export const formatDateTime = (epochMs: number): string => dayAndTime().format(epochMs)

/** `482 913`: a safety number as people read it aloud. */
export const formatSafety = (safety: string): string => `${safety.slice(0, 3)} ${safety.slice(3)}`
