#!/usr/bin/env node
// window.mjs: measures the window against the goals of docs/performance.md, with the real app, on a virtual screen
// if there is no display. THRU_BENCH_RUNS is the number of runs (5). Needs Linux and a build.
import { spawnSync } from 'node:child_process'
import { root } from '../scripts/lib/cache.mjs'

const { status } = spawnSync(
  process.execPath,
  [
    ...['scripts/with-display.mjs', 'npx', 'playwright', 'test'],
    ...['--config', 'e2e/playwright.config.ts', '--project', 'bench', '--reporter', 'line'],
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, THRU_BENCH: '1' } },
)
process.exitCode = status ?? 1
