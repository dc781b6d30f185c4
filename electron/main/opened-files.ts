/**
 * Files and folders that the system hands over: arguments of a start ("Send with Thruflux"), or
 * events of macOS. They are shared at once, under one code when they come together.
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
  /** Started as `electron FOLDER`: the first argument is the app itself. */
  readonly isDevelopment: boolean
}

/**
 * Absolute paths of what a command line names; none when it has a join link, from which anything
 * else in it may have come. Errors: `E_LIMIT_EXCEEDED`, `E_BAD_ARGUMENT` for a path too long.
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

/** The place of an argument or `file:` address; `null` for one that is on another computer. */
function absolutePath(argument: string, directory: string): string | null {
  try {
    if (/^file:/i.test(argument)) return fileURLToPath(argument)
  } catch {
    return null
  }
  return isAbsolute(argument) ? argument : resolve(directory, argument)
}

/** Shares what is handed over once the app is ready for it. */
export class OpenedFiles {
  #waiting: string[] = []
  #isGathering = false
  #share: ((paths: readonly string[]) => void) | null = null

  /** From now on `share` is called with what comes together, also with what came before. */
  shareWith(share: (paths: readonly string[]) => void): void {
    this.#share = share
    this.#gather()
  }

  /** Takes more of them; those that exceed a share's limit are left out, which the caller has reported. */
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
 * Brings files to `opened`: from this process's own command line, from later starts, and from macOS.
 * `refuse` is called for a start that names too much.
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
  app.on('second-instance', (_event, argv, directory) => {
    take({ ...first, argv, directory })
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    opened.add([path])
  })
}
