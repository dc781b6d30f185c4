// What a result is worth depends on where and of what it was measured.
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

/** That of this process and of all that it starts; 0 is none. */
export function realTimePriority() {
  // proc_pid_stat(5): field 40, of which the first two end with a parenthesis.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[40 - 3])
}

/** The commit of the checkout, with "+" when something differs from it. */
export function commit() {
  const git = (...args) => capture('git', ['-C', root, ...args])
  const name = git('rev-parse', '--short=8', 'HEAD')
  if (name === undefined) return 'unknown'
  return git('status', '--porcelain', '--untracked-files=no') === '' ? name : `${name}+`
}

/** Where, when and of what it is measured. */
export const circumstances = (tcp) => ({
  ...{ commit: commit(), date: new Date().toISOString(), host: hostFacts(), tcp },
  realTimePriority: realTimePriority(),
})
