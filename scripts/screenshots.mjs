#!/usr/bin/env node
// screenshots.mjs: updates docs/screenshots from the pictures of a run with THRU_PICTURES=1. Needs pngquant.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/cache.mjs'
import { Failure, runMain } from './lib/failure.mjs'

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
  const pictureOf = (name) => join(root, `test-results/views/${name}-1180.png`)
  const missing = shown.find((name) => !existsSync(pictureOf(name)))
  if (missing !== undefined)
    throw new Failure(
      `There is no ${pictureOf(missing)}. Run views.spec.ts with THRU_PICTURES=1 first.`,
    )
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  for (const name of shown) {
    const output = join(target, `${name}.png`)
    const options = ['--quality', '80-98', '--speed', '1', '--output', output]
    execFileSync('pngquant', [...options, pictureOf(name)])
  }
})
