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
        },
      },
      {
        // These load the built addon or start the built programs: one after another, and slower.
        test: {
          name: 'native',
          include: ['native/tests-js/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
        },
      },
    ],
  },
})
