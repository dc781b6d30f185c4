/** A temporary folder for each test, removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** The path of an entry in the current test's folder, or of the folder itself. */
export type AtFolder = (...names: readonly string[]) => string

/** Call it before other `beforeEach`, so that the folder exists for them. */
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
