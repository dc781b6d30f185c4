/**
 * Notices changes of files below some paths. Folders are watched, not files: the system limits what can be watched, and
 * a saved file is often another one. Events only tell that something has changed, because bursts may lose some.
 */
import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname, normalize } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'

type Report = {
  readonly onChanged: () => void
  /** Later changes may go unnoticed. */
  readonly onBlind: () => void
}

/** Reports changes of or below `paths`, which are absolute, until it is stopped. */
export type WatchPaths = (paths: readonly string[], report: Report) => { readonly stop: () => void }

const options = {
  ignoreInitial: true,
  followSymlinks: false,
  ignored: (_path: string, found?: Stats) => found?.isFile() === true,
}

/** A file or folder, which may be replaced by another one of the same name. */
class WatchedPath {
  readonly #path: string
  readonly #report: Report
  /** Identifies what was found last; `null` before that. */
  #found: string | null = null
  #below: FSWatcher | null = null
  #isLooking = false
  #looksAgain = false
  #isStopped = false

  constructor(path: string, report: Report) {
    this.#path = path
    this.#report = report
    void this.look()
  }

  /** Call it after changes in the folder of the path. */
  async look(): Promise<void> {
    this.#looksAgain = this.#isLooking
    if (this.#isLooking) return
    this.#isLooking = true
    do {
      this.#looksAgain = false
      await this.#lookOnce()
    } while (this.#looksAgain as boolean)
    this.#isLooking = false
  }

  async #lookOnce(): Promise<void> {
    const found = await stat(this.#path).catch(() => null)
    const real = await realpath(this.#path).catch(() => this.#path)
    if (this.#isStopped) return
    const known = this.#found
    this.#found = identityOf(found)
    if (this.#found === known) return
    void this.#below?.close()
    this.#below = null
    if (found?.isDirectory() === true) {
      this.#below = watch(real, options)
        // Earlier changes were not seen.
        .on('ready', this.#report.onChanged)
        .on('raw', this.#report.onChanged)
        .on('error', this.#report.onBlind)
    }
    if (known !== null) this.#report.onChanged()
  }

  stop(): void {
    this.#isStopped = true
    void this.#below?.close()
  }
}

const identityOf = (found: Stats | null): string => {
  if (found === null) return ''
  // Permissions and extended attributes change only ctime.
  const { dev, ino, ctimeMs, size } = found
  return (found.isDirectory() ? [dev, ino] : [dev, ino, ctimeMs, size]).join(' ')
}

export const watchPaths: WatchPaths = (paths, report) => {
  const watched = new Map<string, WatchedPath[]>()
  for (const given of paths) {
    const path = normalize(given)
    const above = dirname(path)
    watched.set(above, [...(watched.get(above) ?? []), new WatchedPath(path, report)])
  }
  const beside = watch([...watched.keys()], { ...options, depth: 0 })
    .on('raw', (_event, _path, details) => {
      const { watchedPath } = details as { readonly watchedPath: string }
      for (const one of watched.get(watchedPath) ?? []) void one.look()
    })
    .on('ready', () => {
      // Earlier changes were not seen.
      report.onChanged()
      for (const one of [...watched.values()].flat()) void one.look()
    })
    .on('error', report.onBlind)
  const stop = (): void => {
    void beside.close()
    for (const one of [...watched.values()].flat()) one.stop()
  }
  return { stop }
}
