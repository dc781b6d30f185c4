/**
 * Files and folders from the system: arguments of a start ("Send with Thruflux"), or events on macOS. They are shared
 * immediately; those that arrive together get one code.
 */
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { App } from 'electron'
import { isLinkOfOurs } from '#shared/code/join-link'
import type { AppError } from '#shared/errors'
import { appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'

/** Some file managers start the app once for each file. */
const gatherMs = 400

export type Start = {
  readonly argv: readonly string[]
  readonly directory: string
  /** True if started as `electron FOLDER`: the first argument is the app itself. */
  readonly isDevelopment: boolean
}

/**
 * Absolute paths of the arguments; none if there is a join link, which may have supplied the others. Errors:
 * `E_LIMIT_EXCEEDED`, `E_BAD_ARGUMENT` for a path that is too long.
 */
export function filesIn({
  argv,
  directory,
  isDevelopment,
}: Start): Result<readonly string[], AppError> {
  if (argv.some(isLinkOfOurs)) return ok([])
  const named = argv.slice(1).filter((argument) => argument !== '' && !argument.startsWith('-'))
  const files = isDevelopment ? named.slice(1) : named
  if (files.length > limits.pathsPerShare) {
    return err(appError('E_LIMIT_EXCEEDED', `at most ${limits.pathsPerShare} items in one share`))
  }
  const paths = files.map((file) => absolutePath(file, directory))
  const isGood = paths.every(
    (path) => path !== null && path.length <= limits.pathBytes && !path.includes('\0'),
  )
  return isGood
    ? ok(paths.flatMap((path) => path ?? []))
    : err(appError('E_BAD_ARGUMENT', 'One of these names no file here.'))
}

/** The path of an argument or `file:` address; `null` if it is on another computer. */
function absolutePath(argument: string, directory: string): string | null {
  try {
    if (/^file:/i.test(argument)) return fileURLToPath(argument)
  } catch {
    return null
  }
  return isAbsolute(argument) ? argument : resolve(directory, argument)
}

/** Shares files once the app is ready. */
export class OpenedFiles {
  #waiting: string[] = []
  #isGathering = false
  #share: ((paths: readonly string[]) => void) | null = null

  /** Sets `share`, which is called for each group of paths, including earlier ones. */
  shareWith(share: (paths: readonly string[]) => void): void {
    this.#share = share
    this.#gather()
  }

  /** Adds paths; the caller has reported an excess over a share's limit, which is dropped. */
  add(paths: readonly string[]): void {
    this.#waiting.push(...paths.slice(0, limits.pathsPerShare - this.#waiting.length))
    this.#gather()
  }

  #gather(): void {
    if (this.#isGathering || this.#share === null || this.#waiting.length === 0) return
    this.#isGathering = true
    setTimeout(() => {
      this.#isGathering = false
      const paths = this.#waiting
      this.#waiting = []
      this.#share?.(paths)
    }, gatherMs)
  }
}

/**
 * Delivers files to `opened`: from this process's own command line, from later starts, and from macOS. `refuse` is
 * called for a start with too many of them.
 */
export function ownFiles(
  app: App,
  first: Start,
  opened: Pick<OpenedFiles, 'add'>,
  refuse: (error: AppError) => void,
): void {
  const take = (start: Start): void => {
    const files = filesIn(start)
    if (files.ok) opened.add(files.value)
    else refuse(files.error)
  }
  take(first)
  app.on('second-instance', (_event, argv, directory) => take({ ...first, argv, directory }))
  app.on('open-file', (event, path) => {
    event.preventDefault()
    opened.add([path])
  })
}
