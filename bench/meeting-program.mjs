#!/usr/bin/env node
// meeting-program.mjs field|idle [arguments...]: bundles a measurement of public meeting points, and runs it.
// field [--rounds 5] [--meetings 10] [--relay URL]...: those of this copy, measured from a computer that is online. For
// each: does it connect, return events, and how fast; else what it says. Then whole meetings through the list as
// programs use it, and the STUN servers. Sends some ten events to each point.
// idle [--shares 1000] [--seconds 120]: what idle shares cost a relay program on this computer.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleProgram } from '../scripts/lib/bundle.mjs'
import { runMain } from '../scripts/lib/failure.mjs'

runMain(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'thru-field-'))
  try {
    const [name, ...args] = process.argv.slice(2)
    const outfile = join(folder, `${name}-meeting.cjs`)
    const source = fileURLToPath(new URL(`lib/${name}-meeting.mjs`, import.meta.url))
    await bundleProgram(source, outfile)
    const child = spawn(process.execPath, [outfile, ...args], { stdio: 'inherit' })
    process.exitCode = await new Promise((resolve) => child.on('close', resolve))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
