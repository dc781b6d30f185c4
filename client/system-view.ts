/** Reads system files, and the output of system programs. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** The output of a program of the system; `''` when it can't be run. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string>

/** A file of the system; `''` when it can't be read. */
export type ReadSystemFile = (path: string) => Promise<string>

/** Queries to the system, which tests replace. */
export type SystemView = {
  readonly platform: NodeJS.Platform
  readonly run: RunProgram
  readonly read: ReadSystemFile
}

const programTimeoutMs = 1500
const maxOutputBytes = 256 * 1024

/** This computer. */
export const thisSystem: SystemView = {
  platform: process.platform,
  run: (program, args) =>
    new Promise((resolve) => {
      const how = { timeout: programTimeoutMs, maxBuffer: maxOutputBytes, windowsHide: true }
      execFile(program, [...args], how, (_reason, output) => resolve(output))
    }),
  read: (path) => readFile(path, 'utf8').catch(() => ''),
}
