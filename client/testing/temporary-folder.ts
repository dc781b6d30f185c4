/** Temporary folders for tests, which remove them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, onTestFinished } from 'vitest'

/** The path of an entry in the current test's folder, or of the folder itself. */
export type AtFolder = (...names: readonly string[]) => string

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'thru-test-'))

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** A new folder for the current test, which may be about to begin. It is removed after all hooks. */
export function folderOfTest(): string {
  const folder = newFolder()
  onTestFinished(() => remove(folder))
  return folder
}

/** A new folder for all tests of a file or of a `describe`. */
export function folderOfFile(): string {
  const folder = newFolder()
  afterAll(() => remove(folder))
  return folder
}

/** A folder for each test. Call it before other `beforeEach`, so that the folder exists for them. */
export function temporaryFolder(): AtFolder {
  let folder = ''
  beforeEach(() => void (folder = folderOfTest()))
  return (...names) => join(folder, ...names)
}
