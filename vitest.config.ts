import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{shared,client,signaling,cli,scripts,electron,renderer}/tests/**/*.test.{ts,tsx}',
          ],
          exclude: ['**/tests/programs/**'],
          // They share the cores with the other checks and with the compiler.
          testTimeout: 30_000,
          // Loading the modules anew for each file takes longer than all tests: none changes what others see.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        // These load the built addon or start the built programs: one after another, and slower.
        test: {
          name: 'programs',
          include: [
            'native/tests-js/**/*.test.ts',
            '{client,signaling,cli,electron}/tests/programs/**/*.test.ts',
          ],
          fileParallelism: false,
          testTimeout: 60_000,
        },
      },
    ],
  },
})
