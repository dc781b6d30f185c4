/**
 * Progress of each transfer: moving bars where the terminal can draw, else an occasional line.
 * Bars show the bytes written.
 */
import { MultiBar, type SingleBar } from 'cli-progress'
import {
  formatBytes,
  formatBytesOf,
  formatPercent,
  formatRate,
  formatTimeLeft,
} from '#shared/format/format'
import { bytesPerSecond, secondsLeft } from '#shared/format/rate'
import { visibleText } from '#shared/format/visible-text'
import type { Progress } from '#shared/state/app-state'
import type { Tone } from '../terminal/color'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

/** Without drawing, a first line comes early to show that data moves, then fewer follow. */
const firstLineMs = 2000
const lineEveryMs = 10_000

/** A shorter part of a path is useless. */
const minCurrent = 12

/** Narrow terminals have a shorter bar, or none. */
const barWidth = (columns: number): number => (columns >= 80 ? 24 : columns >= 50 ? 8 : 0)

/** A transfer flows, is held up, or is a stream, which has no total. */
export type Course = 'flowing' | 'held' | 'stream'

/** `38.4 GB · 117 MB/s`, for an unknown total. */
export function streamText({ samples, bytes }: Progress, nowMs: number): string {
  const rate = bytesPerSecond(samples, nowMs)
  return [formatBytes(bytes), ...(rate === null ? [] : [formatRate(rate)])].join(text.separator)
}

/** `62% · 117 MB/s · 38.4 of 61.9 GB · 3 min left`; without speed and time while it is held up. */
export function progressText(progress: Progress, nowMs: number, isHeld = false): string {
  const rate = isHeld ? null : bytesPerSecond(progress.samples, nowMs)
  const left = isHeld ? null : secondsLeft(progress, nowMs)
  return [
    formatPercent(progress.bytes, progress.totalBytes),
    ...(rate === null ? [] : [formatRate(rate)]),
    formatBytesOf(progress.bytes, progress.totalBytes),
    ...(left === null || left === 0 ? [] : [text.transfer.timeLeft(formatTimeLeft(left))]),
  ].join(text.separator)
}

/** The progress display of the whole command. */
export class ProgressDisplay {
  readonly #terminal: Terminal
  readonly #bars = new Map<string, SingleBar>()
  readonly #nextLineAtMs = new Map<string, number>()
  readonly #current = new Map<string, string>()
  #multiBar: MultiBar | null = null

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Shows a transfer under its name; `nowMs` is the time of this progress. */
  show(
    id: string,
    name: string,
    progress: Progress,
    nowMs: number,
    course: Course = 'flowing',
  ): void {
    const isStream = course === 'stream'
    const figures = isStream
      ? streamText(progress, nowMs)
      : progressText(progress, nowMs, course === 'held')
    const line = `${name} ${figures}`.trim()
    if (!this.#terminal.canDraw) this.#write(id, line, nowMs)
    // A bar would overwrite the question.
    else if (this.#terminal.isAsking) this.end()
    else this.#draw(id, this.#withCurrent(id, visibleText(line)), isStream ? null : progress)
  }

  /** Sets the active file of a transfer, drawn after its figures; empty for none. */
  setCurrent(id: string, what: string): void {
    this.#current.set(id, what)
  }

  /** Removes a transfer; the line about its end follows. */
  remove(id: string): void {
    this.#nextLineAtMs.delete(id)
    this.#current.delete(id)
    const bar = this.#bars.get(id)
    if (bar !== undefined) this.#multiBar?.remove(bar)
    this.#bars.delete(id)
    if (this.#bars.size === 0) this.end()
  }

  /** Prints a line above the bars, which are drawn again with the next progress. */
  note(line: string, tone?: Tone): void {
    this.end()
    this.#terminal.note(line, tone)
  }

  /** Removes all bars and restores the cursor. */
  end(): void {
    this.#multiBar?.stop()
    this.#multiBar = null
    this.#bars.clear()
  }

  /** Adds as much of the current file as fits on the line. */
  #withCurrent(id: string, line: string): string {
    const what = this.#current.get(id) ?? ''
    const { columns } = this.#terminal
    const room = columns - barWidth(columns) - line.length - text.separator.length - 2
    if (what === '' || room < minCurrent) return line
    const shown = what.length <= room ? what : `…${what.slice(1 - room)}`
    return `${line}${text.separator}${shown}`
  }

  /** Draws an empty bar without `progress`. */
  #draw(id: string, line: string, progress: Progress | null): void {
    const total = Math.max(1, progress?.totalBytes ?? 1)
    const value = progress === null ? 0 : progress.totalBytes === 0 ? 1 : progress.bytes
    const bar = this.#bars.get(id)
    if (bar !== undefined) {
      bar.update(value, { text: line })
      return
    }
    const width = barWidth(this.#terminal.columns)
    this.#multiBar ??= new MultiBar({
      stream: process.stderr,
      format: width === 0 ? '{text}' : '{bar} {text}',
      barsize: width,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      fps: 4,
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: false,
    })
    this.#bars.set(id, this.#multiBar.create(total, value, { text: line }))
  }

  #write(id: string, line: string, nowMs: number): void {
    const nextAtMs = this.#nextLineAtMs.get(id)
    if (nextAtMs === undefined) this.#nextLineAtMs.set(id, nowMs + firstLineMs)
    if (nextAtMs === undefined || nowMs < nextAtMs) return
    this.#nextLineAtMs.set(id, nowMs + lineEveryMs)
    this.#terminal.note(line)
  }
}
