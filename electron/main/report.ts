/**
 * What a person can copy and send to whoever looks for a mistake: version, system, and the last
 * errors. Codes of errors and places in our own program only: no join code, name or path.
 */
import { release } from 'node:os'
import { basename } from 'node:path'
import type { AppEvent } from '#shared/events'

/** Lines that are kept; the oldest leave first. */
const maxLines = 50

/** Frames of a stack that tell where it was. */
const maxFrames = 12

export type Versions = {
  readonly app: string
  readonly electron: string
  readonly chrome: string
  readonly node: string
}

/** Collects what goes wrong while the app runs. */
export class Report {
  #lines: string[] = []
  readonly #nowMs: () => number

  /** `nowMs`: Unix milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** A mistake of ours, or what broke: `window`, `main`. */
  noteBug(where: string, bug: unknown): void {
    this.#note(`${where}: ${describeBug(bug)}`)
  }

  /** An event, if it tells of an error. */
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

/** The kind of an error and where it came from. Its message may quote anything, and is left out. */
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

/** `f (/home/mina/app/main.cjs:3:7)` is `f main.cjs:3:7`. */
function frameWithoutFolders(frame: string): string {
  const [, name = '', place = frame] = /^(.*?) ?\((.*)\)$/.exec(frame) ?? []
  return `${name} ${basename(place.replace(/\\/g, '/'))}`.trim()
}
