import { expect, it, vi } from 'vitest'

it('child processes inherit neither the code nor ELECTRON_RUN_AS_NODE', async () => {
  vi.stubEnv('THRU_CODE', '1081-shovel-knapsack-reentry')
  vi.stubEnv('ELECTRON_RUN_AS_NODE', '1')
  const { codeVariable } = await import('../../terminal/scrub-secrets')
  expect(codeVariable).toBe('1081-shovel-knapsack-reentry')
  expect(process.env).not.toHaveProperty('THRU_CODE')
  expect(process.env).not.toHaveProperty('ELECTRON_RUN_AS_NODE')
  vi.unstubAllEnvs()
})
