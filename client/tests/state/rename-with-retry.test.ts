import { describe, expect, it } from 'vitest'
import { renameWithRetry } from '#client/state/rename-with-retry'

/** Fails this many times with that code; counts its calls. */
function failing(times: number, code: string) {
  const state = { calls: 0 }
  const call = (): Promise<void> => {
    state.calls += 1
    return state.calls <= times
      ? Promise.reject(Object.assign(new Error(code), { code }))
      : Promise.resolve()
  }
  return { state, call }
}

describe('renaming over a file', () => {
  it('is retried on Windows while a scanner locks a file', async () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      const { state, call } = failing(3, code)
      await renameWithRetry('a', 'b', { platform: 'win32', call })
      expect(state.calls).toBe(4)
    }
  })

  it('fails finally with the error of Windows', async () => {
    const { state, call } = failing(1000, 'EPERM')
    const renamed = renameWithRetry('a', 'b', { platform: 'win32', call })
    await expect(renamed).rejects.toMatchObject({ code: 'EPERM' })
    expect(state.calls).toBeLessThan(20)
  })

  it('fails immediately for other reasons, and on other systems', async () => {
    for (const [platform, code] of [
      ['win32', 'ENOSPC'],
      ['linux', 'EPERM'],
    ] as const) {
      const { state, call } = failing(1, code)
      await expect(renameWithRetry('a', 'b', { platform, call })).rejects.toMatchObject({ code })
      expect(state.calls).toBe(1)
    }
  })
})
