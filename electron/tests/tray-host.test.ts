import { describe, expect, it, vi } from 'vitest'
import { hasTrayHost } from '../main/desktop/tray-host'

const answering = (answers: Readonly<Record<string, string>>) =>
  vi.fn((program: string) => Promise.resolve(answers[program] ?? null))

describe('hasTrayHost', () => {
  it.each([
    [{ gdbus: '(<true>,)\n' }, true],
    [{ gdbus: '(<false>,)\n' }, false],
    [{ busctl: 'b true\n' }, true],
    [{ 'dbus-send': 'method return time=1\n   variant       boolean true\n' }, true],
    [{ gdbus: '', busctl: 'b true\n' }, false],
    [{}, false],
  ])('uses the first installed program: %j', async (answers, expected) => {
    expect(await hasTrayHost('linux', answering(answers))).toBe(expected)
  })

  it.each(['win32', 'darwin'] as const)('is always true on %s', async (platform) => {
    const run = answering({})
    expect(await hasTrayHost(platform, run)).toBe(true)
    expect(run).not.toHaveBeenCalled()
  })
})
