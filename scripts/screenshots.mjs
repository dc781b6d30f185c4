#!/usr/bin/env node
// screenshots.mjs: renews docs/screenshots from the pictures that THRU_PICTURES=1 has left, with fewer colors. Needs pngquant.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/cache.mjs'
import { runMain } from './lib/failure.mjs'

/** The views that documents show; a checkout should not load more. */
const shown = [
  'home',
  'sharing-started',
  'sharing-receivers',
  'preview',
  'receiving',
  'done',
  'history',
  'settings-network',
]

runMain(async () => {
  const target = join(root, 'docs/screenshots')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  for (const name of shown) {
    for (const theme of ['light', 'dark']) {
      const source = join(root, `test-results/views/${name}-${theme}-1180.png`)
      const output = join(target, `${name}-${theme}.png`)
      execFileSync('pngquant', ['--quality', '80-98', '--speed', '1', '--output', output, source])
    }
  }
})
