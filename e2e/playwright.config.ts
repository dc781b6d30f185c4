import { defineConfig } from '@playwright/test'

export default defineConfig({
  globalSetup: './build-stage.ts',
  outputDir: '../test-results',
  // Two apps with a transfer between them already use every core of a small machine.
  workers: 1,
  timeout: 60_000,
  reporter: 'list',
  projects: [
    { name: 'stage', testDir: './stage' },
    // A busy computer takes its time for two apps, their network and a transfer.
    { name: 'real', testDir: './real', timeout: 240_000, expect: { timeout: 60_000 } },
    // Runs only by name: `npm run bench -- window`.
    ...(process.env['THRU_BENCH'] === '1' ? [{ name: 'bench', testDir: './bench' }] : []),
  ],
})
