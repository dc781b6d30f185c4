#!/usr/bin/env node
// test-signaling.mjs [URL] [RULE...] [options]: checks a signaling server against docs/signaling.md; see --help.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { bundleProgram } from './lib/bundle.mjs'
import { root } from './lib/cache.mjs'
import { runMain } from './lib/failure.mjs'

runMain(async () => {
  const outfile = join(root, 'out', 'signaling', 'conformance.cjs')
  await bundleProgram('signaling/conformance/main.ts', outfile, 'node20')
  const child = spawn(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
})
