#!/usr/bin/env node
// record.mjs: makes docs/recording.webp, on a virtual screen where there is none. Needs a build and img2webp.
import { spawnSync } from 'node:child_process'
import { root } from '../../scripts/lib/cache.mjs'

const { status } = spawnSync(
  process.execPath,
  [
    ...['scripts/with-display.mjs', 'npx', 'playwright', 'test'],
    ...['--config', 'e2e/playwright.config.ts', '--project', 'recording', '--reporter', 'line'],
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, THRU_RECORD: '1' } },
)
process.exitCode = status ?? 1
