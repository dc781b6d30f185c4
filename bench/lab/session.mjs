// A measurement of the laboratory from its first run to its page.
import { inWorld } from '../lib/world.mjs'
import { removeGroups } from './processes.mjs'
import { keep, pageOf } from './results.mjs'

/** Measures in a world of its own, then shows and keeps the result. */
export const measureAlone = (measure) =>
  inWorld(
    async () => {
      const result = await measure()
      console.log(`\n${pageOf(result)}\n${keep(result)}`)
    },
    { afterwards: removeGroups },
  )

/** A run on one line. */
function say(name, { error, mbit, seconds, load }) {
  const what = error ?? `${mbit.toFixed(0)} Mbit/s, ${seconds.toFixed(2)} s`
  console.log(`  ${name.padEnd(10)} ${what} (load ${load.toFixed(1)})`)
}

/** One more run of each line, by `run` with its index and the line; what was too slow once is not waited for again. */
export async function runEach(lines, run) {
  for (const [index, line] of lines.entries()) {
    if (line.runs.some(({ error }) => error)) continue
    const done = await run(index, line)
    line.runs.push(done)
    say(line.name, done)
  }
}
