#!/usr/bin/env node
// screenshots.mjs: updates docs/screenshots from the pictures of a run with THRU_PICTURES=1. Needs pngquant.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/cache.mjs'
import { runMain } from './lib/failure.mjs'

/** Pictures that the README and software centers show. */
const shown = [
  'sharing-receivers-light',
  'sharing-receivers-dark',
  'preview-light',
  'receiving-light',
  'history-light',
]

runMain(async () => {
  const target = join(root, 'docs/screenshots')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  for (const name of shown) {
    const source = join(root, `test-results/views/${name}-1180.png`)
    const output = join(target, `${name}.png`)
    execFileSync('pngquant', ['--quality', '80-98', '--speed', '1', '--output', output, source])
  }
})
