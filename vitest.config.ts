import { delimiter } from 'node:path'
import { defineConfig } from 'vitest/config'
import { testTools } from './scripts/deps/promtool.mjs'

process.env['PATH'] = `${process.env['PATH'] ?? ''}${delimiter}${testTools}`

const programs = '**/tests/programs/**'
/** Tests with computers and routers made of network namespaces. */
const networks = 'cli/tests/programs/net/**/*.test.ts'
const packages = 'scripts/tests/programs/packages/**/*.test.ts'
const windowsPrograms = '{cli,scripts}/tests/programs/windows/**/*.test.ts'
const arm64Programs = 'cli/tests/programs/arm64/**/*.test.ts'
const webPrograms = 'web/tests/programs/**/*.test.ts'

/** Patterns for the unit tests with this file name. */
const unitTests = (name: string) => [
  `{shared,client,signaling,cli,scripts,bench,electron,renderer,web}/tests/**/${name}.test.{ts,tsx}`,
]

/** Bounds for tests that hang; a busy computer can stall for many seconds. Unit tests share the cores with a compiler. */
const bounds = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
}

/** Programs spend most of their time waiting, and some need resources that a computer has only once. */
const ofPrograms = { ...bounds, fileParallelism: false }

export default defineConfig({
  test: {
    tags: [{ name: 'full', description: 'Runs only in `npm run test:full`.' }],
    projects: [
      {
        test: {
          name: 'unit',
          include: unitTests('*'),
          exclude: [...unitTests('*.isolated'), programs],
          ...bounds,
          // Reloading the modules for each file would take longer than all tests, and these mock none.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'unit-isolated',
          include: unitTests('*.isolated'),
          ...bounds,
        },
      },
      {
        // These tests load the built addon or start the built programs, one after another.
        test: {
          name: 'programs',
          include: [
            'native/tests-js/**/*.test.ts',
            '{client,signaling,cli,electron,bench}/tests/programs/**/*.test.ts',
          ],
          exclude: [networks, windowsPrograms, arm64Programs],
          ...ofPrograms,
        },
      },
      {
        // These tests have separate networks, so they can run alongside the programs.
        test: {
          name: 'networks',
          include: [networks],
          ...ofPrograms,
        },
      },
      {
        // Tests of package contents; `npm run test:packages` builds the packages first.
        test: {
          name: 'packages',
          include: [packages],
          // The tests start apps and wait for windows.
          ...ofPrograms,
        },
      },
      {
        // `thru` for ARM64 under QEMU; `npm run test:arm64` packs it first.
        test: {
          name: 'arm64',
          include: [arm64Programs],
          ...ofPrograms,
        },
      },
      {
        // Pages' receivers; `npm run test:web` builds their module first.
        test: {
          name: 'web',
          include: [webPrograms],
          ...ofPrograms,
        },
      },
      {
        // Windows programs under Wine; only `npm run test:windows` installs their requirements.
        test: {
          name: 'windows',
          include: [windowsPrograms],
          ...ofPrograms,
        },
      },
    ],
  },
})
