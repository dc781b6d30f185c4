#!/usr/bin/env node
// test-signaling.mjs [URL] [RULE...] [options]: checks a signaling server against docs/signaling.md; see --help.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './lib/cache.mjs'
import { runMain } from './lib/failure.mjs'

runMain(async () => {
  const outfile = join(root, 'out', 'signaling', 'conformance.cjs')
  await build({
    absWorkingDir: root,
    entryPoints: ['signaling/conformance/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    loader: { '.html': 'text', '.md': 'text' },
    external: ['bufferutil', 'utf-8-validate'],
    logLevel: 'warning',
  })
  const child = spawn(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
})
