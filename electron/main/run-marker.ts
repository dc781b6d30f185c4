/** A file that is there while the app runs: left over, it tells that the app did not end by itself. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of the one process of a profile, whose folder is `directory`. */
export class RunMarker {
  readonly #file: string

  constructor(directory: string) {
    this.#file = join(directory, 'running')
  }

  /** True when the last run has left it; from now on there is one of this run. */
  begin(): boolean {
    const isLeft = existsSync(this.#file)
    try {
      mkdirSync(join(this.#file, '..'), { recursive: true })
      writeFileSync(this.#file, '')
    } catch (error) {
      console.error('a crash would not be noticed:', error)
    }
    return isLeft
  }

  /** From here on every end is one that somebody wanted. */
  end(): void {
    rmSync(this.#file, { force: true })
  }
}
