/** A folder on the disk for each test of a file, removed after it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** The path of what has these names in the folder of the test that runs, or of the folder itself. */
export type AtFolder = (...names: readonly string[]) => string

/** To be called before other `beforeEach`, so that these find the folder there. */
export function temporaryFolder(): AtFolder {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'thru-test-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return (...names) => join(folder, ...names)
}
