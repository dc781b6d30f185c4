/** Says in a file which process something belongs to, so that others can tell whether it still runs. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import * as z from 'zod'

/** One process of one computer. */
export type ProcessMark = {
  readonly pid: number
  readonly host: string
  /** When it began, in a form of the system's; empty where the system doesn't say. */
  readonly started: string
}

/** Decodes a `ProcessMark` from a file. */
export const processMarkSchema = z.object({
  pid: z.int().positive(),
  host: z.string().max(255),
  started: z.string().max(64),
})

/** This process. */
export const ownMark = (): ProcessMark => ({
  pid: process.pid,
  host: hostname(),
  started: startOf(process.pid),
})

/**
 * False when the process has certainly ended. A process of another computer counts as running, as does
 * one that got the same number later, where the system doesn't say when it began.
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
    // The name in brackets may hold spaces and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
