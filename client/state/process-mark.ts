/** Identifies the process that owns something in a file, so that others can tell if it still runs. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import * as z from 'zod'

/** A process of a computer. */
export type ProcessMark = {
  readonly pid: number
  readonly host: string
  /** Its start time in a system-specific format; empty if unknown. */
  readonly started: string
}

/** Decodes a `ProcessMark` from a file. */
export const processMarkSchema = z.object({
  pid: z.int().positive(),
  host: z.string().max(255),
  started: z.string().max(64),
})

/** The mark of this process. */
export const ownMark = (): ProcessMark => ({
  pid: process.pid,
  host: hostname(),
  started: startOf(process.pid),
})

/**
 * False if the process has certainly ended. A process of another computer is assumed to run. So is a later process with
 * the same number, if its start time is unknown.
 */
export function mayRun({ pid, host, started }: ProcessMark): boolean {
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = startOf(pid)
  return started === '' || now === '' || now === started
}

/** Field 22 of Linux's `/proc/PID/stat`: clock ticks since the computer started. */
function startOf(pid: number): string {
  if (process.platform !== 'linux') return ''
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
