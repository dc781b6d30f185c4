import { defineConfig } from '@playwright/test'

export default defineConfig({
  globalSetup: './build-stage.ts',
  outputDir: '../test-results',
  // Two apps with a transfer between them already use every core of a small machine.
  workers: 1,
  // Bounds for tests that hang; a busy computer can stall for many seconds.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  projects: [
    { name: 'stage', testDir: './stage' },
    { name: 'real', testDir: './real' },
    // Runs only by name: `npm run bench -- window`.
    ...(process.env['THRU_BENCH'] === '1' ? [{ name: 'bench', testDir: './bench' }] : []),
  ],
})
