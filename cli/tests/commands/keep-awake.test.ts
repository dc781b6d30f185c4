import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultSettings } from '#shared/settings/settings'
import { type AppState, emptyState, type Receive } from '#shared/state/app-state'
import { holderOf, keepAwake } from '../../commands/keep-awake'

const stateOf = (phase: Receive['phase'], isOn = true): AppState => ({
  ...emptyState('/downloads'),
  settings: { ...defaultSettings, general: { ...defaultSettings.general, keepAwake: isOn } },
  receives: [{ phase } as Receive],
})

function rig() {
  let state = stateOf('offered')
  let changed = (): void => undefined
  const release = vi.fn()
  const hold = vi.fn(() => release)
  const client = {
    snapshot: () => ({ seq: 0, state }),
    subscribe: (listener: (batch: readonly never[]) => void) => {
      changed = () => listener([])
      return () => undefined
    },
  }
  const stop = keepAwake(client, hold)
  const enter = (next: AppState): void => {
    state = next
    changed()
  }
  return { enter, hold, release, stop }
}

describe('keepAwake', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('holds one request while bytes move, and lets it go when they stop', () => {
    const { enter, hold, release } = rig()
    enter(stateOf('offered'))
    vi.runAllTimers()
    expect(hold).not.toHaveBeenCalled()
    enter(stateOf('receiving'))
    enter(stateOf('finishing'))
    vi.runAllTimers()
    enter(stateOf('receiving'))
    vi.runAllTimers()
    expect(hold).toHaveBeenCalledOnce()
    expect(release).not.toHaveBeenCalled()
    enter(stateOf('paused'))
    expect(release).toHaveBeenCalledOnce()
  })

  it('starts no program for a transfer that ends in a moment', () => {
    const { enter, hold, release } = rig()
    enter(stateOf('receiving'))
    vi.advanceTimersByTime(1000)
    expect(hold).not.toHaveBeenCalled()
    enter(stateOf('paused'))
    vi.runAllTimers()
    expect(hold).not.toHaveBeenCalled()
    expect(release).not.toHaveBeenCalled()
  })

  it('releases it with the command, and holds nothing if the setting is off', () => {
    const { enter, hold, release, stop } = rig()
    enter(stateOf('receiving', false))
    vi.runAllTimers()
    expect(hold).not.toHaveBeenCalled()
    enter(stateOf('receiving'))
    vi.runAllTimers()
    stop()
    expect(release).toHaveBeenCalledOnce()
  })
})

describe('holderOf', () => {
  it('is a system program that ends with this one', () => {
    expect(holderOf('linux', 7)?.at(0)).toBe('systemd-inhibit')
    expect(holderOf('linux', 7)?.at(-1)).toBe('cat')
    expect(holderOf('darwin', 7)).toEqual(['caffeinate', '-i', '-w', '7'])
    expect(holderOf('win32', 7)).toBeNull()
  })
})
