// Messages of the scripts: one sentence for a failure, one line with seconds for a step.
import { realpathSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

/** A failure whose message tells the user all: what happened and what to do. */
export class Failure extends Error {}

/** Runs `work` and prints one line with its name and duration; prints the elapsed time every 15 s. */
export async function step(name, work) {
  const start = performance.now()
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1)
  console.log(`  ${name} ...`)
  const alive = setInterval(() => console.log(`    ${seconds()} s ...`), 15_000)
  try {
    const result = await work()
    console.log(`  ${name}: done in ${seconds()} s`)
    return result
  } finally {
    clearInterval(alive)
  }
}

/** True when the module with this `import.meta.url` is the program being run. */
export function isMain(moduleUrl) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl)
}

/** Runs a script's main function; prints a `Failure` as its sentence, other errors with their stack. */
export function runMain(main) {
  main().catch((error) => {
    console.error(error instanceof Failure ? error.message : error)
    process.exitCode = 1
  })
}
