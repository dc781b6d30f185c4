#!/usr/bin/env node
// transfer.mjs [figure...]: measures whole transfers over veth pairs against the goals of docs/performance.md.
// THRU_BENCH_RUNS is the number of runs (5). Needs Linux, root, a build, gigabytes of memory and disk space.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../scripts/lib/cache.mjs'
import { Failure, runMain } from '../scripts/lib/failure.mjs'
import { startServer } from './lib/lab.mjs'
import { print } from './lib/report.mjs'
import { inWorld, linkHomes } from './lib/world.mjs'

const figures = [
  'small-files',
  'tar',
  'journal',
  'lan',
  'scan',
  'many-entries',
  'receivers',
  'together',
  'slow-receiver',
  'resume',
  'resume-size',
  'limits',
]
/** The largest number of receivers. */
const homes = 10

async function measureAll(names) {
  await linkHomes(homes)
  await startServer()
  const runs = Number(process.env.THRU_BENCH_RUNS ?? 5)
  for (const name of names) {
    const { measure } = await import(`./figures/${name}.mjs`)
    console.log(`\n${name}, ${runs} runs`)
    print(await measure(runs))
  }
}

runMain(async () => {
  const named = process.argv.slice(2)
  const unknown = named.find((name) => !figures.includes(name))
  if (unknown) throw new Failure(`"${unknown}" is not a figure: ${figures.join(', ')}.`)
  if (!existsSync(join(root, 'out', 'cli', 'thru.cjs')))
    throw new Failure('Run "npm run build" first.')
  await inWorld(() => measureAll(named.length > 0 ? named : figures))
})
