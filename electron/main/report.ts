/**
 * A report that a person can copy for support: version, system, and recent errors. It contains only error codes and
 * places in our own program, but no join code, name or path.
 */
import { release } from 'node:os'
import { basename } from 'node:path'
import type { AppEvent } from '#shared/events'

/** Limits the lines kept; the oldest are dropped first. */
const maxLines = 50

/** Limits the stack frames in a report. */
const maxFrames = 12

export type Versions = {
  readonly app: string
  readonly electron: string
  readonly chrome: string
  readonly node: string
}

/** Collects errors while the app runs. */
export class Report {
  #lines: string[] = []
  readonly #nowMs: () => number

  /** `nowMs`: Unix milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Notes a bug, or a broken part of the app: `window`, `main`. */
  noteBug(where: string, bug: unknown): void {
    this.#note(`${where}: ${describeBug(bug)}`)
  }

  /** Notes an event if it contains an error. */
  noteEvent(event: AppEvent): void {
    if ('error' in event) this.#note(`${event.type}: ${event.error.code}`)
  }

  /** The report as text, ending with a line feed. */
  text(versions: Versions): string {
    const { platform, arch, env } = process
    return [
      `Thruflux ${versions.app}`,
      `Electron ${versions.electron}, Chromium ${versions.chrome}, Node ${versions.node}`,
      `${platform} ${release()} ${arch}${platform === 'linux' ? ` ${desktopOf(env)}` : ''}`,
      '',
      ...(this.#lines.length === 0 ? ['No errors since the start.'] : this.#lines),
      '',
    ].join('\n')
  }

  #note(line: string): void {
    const at = new Date(this.#nowMs()).toISOString()
    this.#lines = [...this.#lines, `${at} ${line}`].slice(-maxLines)
  }
}

const desktopOf = (env: NodeJS.ProcessEnv): string =>
  `${env['XDG_CURRENT_DESKTOP'] ?? 'no desktop'} ${env['XDG_SESSION_TYPE'] ?? ''}`
    .replace(/[^\w :.-]/g, '')
    .slice(0, 80)
    .trim()

/** The type of an error and its stack. Its message may quote anything, so it is omitted. */
function describeBug(bug: unknown): string {
  if (!(bug instanceof Error)) return typeof bug === 'string' ? bug : typeof bug
  const { code } = bug as NodeJS.ErrnoException
  const frames = (bug.stack ?? '')
    .split('\n')
    .flatMap((line) => /^\s+at (.*)$/.exec(line)?.[1] ?? [])
    .slice(0, maxFrames)
    .map(frameWithoutFolders)
  return [`${bug.name}${typeof code === 'string' ? ` ${code}` : ''}`, ...frames].join('\n    at ')
}

/** Shortens `f (/home/mina/app/main.cjs:3:7)` to `f main.cjs:3:7`. */
function frameWithoutFolders(frame: string): string {
  const [, name = '', place = frame] = /^(.*?) ?\((.*)\)$/.exec(frame) ?? []
  return `${name} ${basename(place.replace(/\\/g, '/'))}`.trim()
}
