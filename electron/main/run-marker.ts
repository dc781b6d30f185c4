/** A file that exists while the app runs; a leftover one means that the app crashed. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The marker of a profile's only process; `directory` is the profile's folder. */
export class RunMarker {
  readonly #file: string

  constructor(directory: string) {
    this.#file = join(directory, 'running')
  }

  /** Creates the marker. Returns true if the last run left one. */
  begin(): boolean {
    const isLeft = existsSync(this.#file)
    try {
      mkdirSync(join(this.#file, '..'), { recursive: true })
      writeFileSync(this.#file, '')
    } catch (error) {
      console.error('could not write the crash marker:', error)
    }
    return isLeft
  }

  /** Removes the marker, because every later end is intended. */
  end(): void {
    rmSync(this.#file, { force: true })
  }
}
