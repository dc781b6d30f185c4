import { delimiter } from 'node:path'
import { defineConfig } from 'vitest/config'
import { testTools } from './scripts/deps/promtool.mjs'

process.env['PATH'] = `${process.env['PATH'] ?? ''}${delimiter}${testTools}`

const programs = '**/tests/programs/**'
/** Computers and routers of namespaces. */
const networks = 'cli/tests/programs/net/**/*.test.ts'
const packages = 'scripts/tests/programs/packages/**/*.test.ts'
const windowsPrograms = '{cli,scripts}/tests/programs/windows/**/*.test.ts'
const arm64Programs = 'cli/tests/programs/arm64/**/*.test.ts'

/** Unit tests by their file's name. */
const unitTests = (name: string) => [
  `{shared,client,signaling,cli,scripts,bench,electron,renderer}/tests/**/${name}.test.{ts,tsx}`,
]

/** Each waits for others most of the time, and some for what there is only once on a computer. */
const ofPrograms = {
  fileParallelism: false,
  // A busy computer lets programs wait for seconds.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
}

export default defineConfig({
  test: {
    tags: [{ name: 'full', description: 'Only part of `npm run test:full`.' }],
    projects: [
      {
        test: {
          name: 'unit',
          include: unitTests('*'),
          exclude: [...unitTests('*.isolated'), programs],
          // They share the cores with the other checks and with the compiler.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // Loading the modules anew for each file takes longer than all tests, and these replace none.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'unit-isolated',
          include: unitTests('*.isolated'),
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        // These load the built addon or start the built programs: one after another, and slower.
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
        // The same in networks of their own, which disturb nobody, so that they may run beside those.
        test: {
          name: 'networks',
          include: [networks],
          ...ofPrograms,
        },
      },
      {
        // What is in packages, which `npm run test:packages` builds before.
        test: {
          name: 'packages',
          include: [packages],
          // They start apps and wait for windows.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // `thru` for ARM64 under qemu, which `npm run test:arm64` packs before.
        test: {
          name: 'arm64',
          include: [arm64Programs],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Windows programs under Wine; only `npm run test:windows` brings what they need.
        test: {
          name: 'windows',
          include: [windowsPrograms],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
