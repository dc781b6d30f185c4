#!/usr/bin/env node
// engine.mjs [--runs N] [--size FACTOR] [PART...]: measures parts of the engine without Node, each next to the least
// work that this machine needs for the same result. Files are written to the temporary folder (TMPDIR).
import { spawn } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { Failure, runMain } from '../scripts/lib/failure.mjs'
import { buildDir, shippingPreset } from '../scripts/native-build.mjs'
import { circumstances } from './lab/host.mjs'
import { describePart, partsFormat } from './lab/parts.mjs'
import { keep, pageOf } from './lab/results.mjs'

/** The type of tmpfs in statfs(2). */
const tmpfs = 0x01021994

function readOptions(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    options: {
      runs: { type: 'string', default: '5' },
      size: { type: 'string', default: '1' },
    },
    allowPositionals: true,
  })
  const [runs, size] = [Number(values.runs), Number(values.size)]
  if (!Number.isInteger(runs) || runs < 1)
    throw new Failure(`--runs takes a whole number from 1, not "${values.runs}".`)
  if (!(size > 0 && size <= 1))
    throw new Failure(`--size takes a factor above 0, at most 1, not "${values.size}".`)
  return { runs, size, names: positionals }
}

/** Yields the measurements of the engine's program, one per part. */
async function* measured({ runs, size, names }) {
  const program = join(buildDir(shippingPreset), 'thru_bench')
  const child = spawn(program, ['engine', String(runs), String(size), ...names], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line)
  if ((await ended) !== 0) throw new Failure('The measurement ended early. See the error above.')
}

runMain(async () => {
  const options = readOptions(process.argv.slice(2))
  const result = {
    format: partsFormat,
    scenario: 'engine',
    isChanged: options.size < 1 || options.names.length > 0,
    what: 'parts of the engine in isolation',
    ...circumstances(),
    inMemory: statfsSync(tmpdir()).type === tmpfs,
    parts: [],
  }
  for await (const part of measured(options)) {
    const [load] = loadavg()
    result.parts.push({ ...part, runs: part.runs.map((run) => ({ ...run, load })) })
    console.log(describePart(result.parts.at(-1)))
  }
  console.log(`\n${pageOf(result)}\n${keep(result)}`)
})
