// Runs a laboratory measurement from its first run to its page.
import { inWorld } from '../lib/world.mjs'
import { removeGroups } from './processes.mjs'
import { keep, pageOf } from './results.mjs'

/** Measures in a separate world, then shows and saves the result. */
export const measureAlone = (measure) =>
  inWorld(
    async () => {
      const result = await measure()
      console.log(`\n${pageOf(result)}\n${keep(result)}`)
    },
    { afterwards: removeGroups },
  )

/** Prints a run on one line. */
function say(name, { error, mbit, seconds, load }) {
  const what = error ?? `${mbit.toFixed(0)} Mbit/s, ${seconds.toFixed(2)} s`
  console.log(`  ${name.padEnd(10)} ${what} (load ${load.toFixed(1)})`)
}

/** Runs each line once more by calling `run` with its index and the line. Skips lines that have failed. */
export async function runEach(lines, run) {
  for (const [index, line] of lines.entries()) {
    if (line.runs.some(({ error }) => error)) continue
    const done = await run(index, line)
    line.runs.push(done)
    say(line.name, done)
  }
}
