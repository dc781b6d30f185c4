// Records the machine and the commit of a measurement, which its figures depend on.
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { root } from '../../scripts/lib/cache.mjs'
import { capture } from '../../scripts/lib/run.mjs'
import { GiB } from '../lib/trees.mjs'

export const hostFacts = () => ({
  cpu: cpus()[0].model,
  cores: cpus().length,
  memoryGiB: totalmem() / GiB,
  kernel: release(),
})

/** The real-time priority of this process and its children; 0 if none. */
export function realTimePriority() {
  // proc_pid_stat(5): field 40. The first two fields end with a parenthesis.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[40 - 3])
}

/** The checkout's commit, followed by "+" if the working tree differs from it. */
export function commit() {
  const git = (...args) => capture('git', ['-C', root, ...args])
  const name = git('rev-parse', '--short=8', 'HEAD')
  if (name === undefined) return 'unknown'
  return git('status', '--porcelain', '--untracked-files=no') === '' ? name : `${name}+`
}

/** The machine, time and commit of a measurement. */
export const circumstances = (tcp) => ({
  ...{ commit: commit(), date: new Date().toISOString(), host: hostFacts(), tcp },
  realTimePriority: realTimePriority(),
})
