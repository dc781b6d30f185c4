#!/usr/bin/env node
// meeting-field.mjs [--rounds 5] [--meetings 10] [--relay URL]...: the public meeting points of this copy, measured from
// a computer that is online. For each: does it connect, return events, and how fast; else what it says. Then whole
// meetings through the list as programs use it, and the STUN servers. Sends some ten events to each point.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runMain } from '../scripts/lib/failure.mjs'

runMain(async () => {
  const { build } = await import('esbuild')
  const folder = mkdtempSync(join(tmpdir(), 'thru-field-'))
  try {
    const outfile = join(folder, 'field-meeting.cjs')
    const source = fileURLToPath(new URL('lib/field-meeting.mjs', import.meta.url))
    const loader = { '.html': 'text', '.md': 'text' }
    await build({ entryPoints: [source], outfile, bundle: true, platform: 'node', loader })
    const child = spawn(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' })
    process.exitCode = await new Promise((resolve) => child.on('close', resolve))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
