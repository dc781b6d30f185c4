/** Tray, taskbar, sleep and closing over a scripted Electron. */
import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultSettings, type Settings } from '#shared/settings/settings'
import type { AppState } from '#shared/state/app-state'
import type { DesktopParts } from '../main/desktop/desktop'
import type { TrayView } from '../main/desktop/tray'
import { progress, receive, receiver, share, stateWith } from './states'

const electron = vi.hoisted(() => ({
  answer: 0,
  questions: [] as { message: string; buttons: readonly string[] }[],
  menu: [] as { label?: string; enabled?: boolean; click?: () => void }[],
  start: vi.fn(() => 7),
  stop: vi.fn(),
  setImage: vi.fn(),
}))

const trayHost = vi.hoisted(() => ({ isThere: true }))

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  class Tray extends Emitter {
    setToolTip = vi.fn()
    setContextMenu = vi.fn()
    setImage = electron.setImage
    destroy = vi.fn()
  }
  return {
    BrowserWindow: { getAllWindows: () => [] },
    Menu: { buildFromTemplate: (menu: typeof electron.menu) => (electron.menu = menu) },
    Tray,
    nativeTheme: new Emitter(),
    powerSaveBlocker: { start: electron.start, stop: electron.stop },
    dialog: {
      showMessageBox: (question: (typeof electron.questions)[number]) => {
        electron.questions.push(question)
        return Promise.resolve({ response: electron.answer })
      },
    },
  }
})

vi.mock('../main/desktop/tray-host', () => ({
  hasTrayHost: () => Promise.resolve(trayHost.isThere),
}))

const { Desktop } = await import('../main/desktop/desktop')
const { trayView } = await import('../main/desktop/tray')
const { closingOf } = await import('../main/desktop/closing')

const moving = stateWith({
  shares: [share({ receivers: [receiver({ progress: progress(1000, 10) })] })],
})

function openDesktop(first: AppState, general: Partial<Settings['general']> = {}) {
  const settings = { ...defaultSettings, general: { ...defaultSettings.general, ...general } }
  let state = { ...first, settings }
  let changed = (_batch: readonly never[]): void => undefined
  const app = Object.assign(new EventEmitter(), { setBadgeCount: vi.fn(), quit: vi.fn() })
  const client = {
    snapshot: () => ({ seq: 0, state }),
    subscribe: (listener: typeof changed) => {
      changed = listener
      return () => undefined
    },
  }
  const pauses = { pauseShare: vi.fn(), pauseReceive: vi.fn() }
  const notes = { trayExplained: false, note: vi.fn() }
  const window = Object.assign(new EventEmitter(), { hide: vi.fn(), minimize: vi.fn() })
  const desktop = new Desktop({
    app: app as unknown as App,
    client,
    ...pauses,
    notes: notes as unknown as DesktopParts['notes'],
    requests: { push: vi.fn() },
    window: window as unknown as DesktopParts['window'],
    icons: '/icons',
    shareFiles: vi.fn(),
  })
  return {
    app,
    pauses,
    desktop,
    notes,
    window,
    enter: (next: AppState) => {
      state = { ...next, settings }
      changed([])
      vi.advanceTimersByTime(1000)
    },
    close: async () => {
      const preventDefault = vi.fn()
      window.emit('close', { preventDefault })
      await vi.advanceTimersByTimeAsync(0)
      return preventDefault
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 10_000 })
  vi.stubGlobal('process', { ...process, platform: 'linux' })
  electron.answer = 0
  electron.questions = []
  electron.start.mockClear()
  electron.stop.mockClear()
  trayHost.isThere = true
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

describe('closing the window', () => {
  it('keeps the app in the tray while something runs, and explains that once', async () => {
    const { close, window, notes, app } = openDesktop(moving)
    const preventDefault = await close()
    expect(preventDefault).toHaveBeenCalledOnce()
    expect(electron.questions).toMatchObject([{ message: 'Thruflux keeps running in the tray' }])
    expect(notes.note).toHaveBeenCalledWith({ trayExplained: true })
    expect(window.hide).toHaveBeenCalledOnce()
    notes.trayExplained = true
    await close()
    expect(electron.questions).toHaveLength(1)
    expect(window.hide).toHaveBeenCalledTimes(2)
    expect(app.quit).not.toHaveBeenCalled()
  })

  it('quits without a question when nothing is running', async () => {
    const { close, app } = openDesktop(stateWith({}))
    await close()
    expect(electron.questions).toEqual([])
    expect(app.quit).toHaveBeenCalledOnce()
  })

  it('minimizes or quits without a tray, and never leaves the app unreachable', async () => {
    trayHost.isThere = false
    const { close, window, app } = openDesktop(stateWith({ shares: [share({})] }))
    await close()
    expect(window.minimize).toHaveBeenCalledOnce()
    electron.answer = 2
    await close()
    expect(app.quit).not.toHaveBeenCalled()
    electron.answer = 1
    await close()
    expect(app.quit).toHaveBeenCalledOnce()
    expect(window.hide).not.toHaveBeenCalled()
  })

  it('asks before it interrupts transfers, if staying in the tray is turned off', async () => {
    const { close, app } = openDesktop(moving, { closeToTray: false })
    electron.answer = 1
    await close()
    expect(electron.questions).toMatchObject([
      { message: '1 transfer is running', buttons: ['Quit', 'Cancel'] },
    ])
    expect(app.quit).not.toHaveBeenCalled()
    electron.answer = 0
    await close()
    expect(app.quit).toHaveBeenCalledOnce()
  })

  it('is not delayed once the app quits', async () => {
    const { close, app } = openDesktop(moving)
    app.emit('before-quit')
    expect(await close()).not.toHaveBeenCalled()
  })

  it('asks once, however often the button is clicked', async () => {
    const { window } = openDesktop(moving)
    for (let count = 0; count < 10; count += 1) window.emit('close', { preventDefault: vi.fn() })
    await vi.advanceTimersByTimeAsync(0)
    expect(electron.questions).toHaveLength(1)
  })
})

describe('closingOf', () => {
  const needed = { closeToTray: true, hasTray: true, isNeeded: true }

  it('hides on macOS, where the Dock can always reopen the window', () => {
    expect(
      closingOf({ platform: 'darwin', closeToTray: false, hasTray: false, isNeeded: false }),
    ).toBe('hide')
  })

  it.each([
    [{}, 'hide'],
    [{ hasTray: false }, 'ask'],
    [{ isNeeded: false }, 'quit'],
    [{ closeToTray: false }, 'quit'],
  ] as const)('elsewhere with %j: %s', (changes, expected) => {
    for (const platform of ['linux', 'win32'] as const)
      expect(closingOf({ platform, ...needed, ...changes })).toBe(expected)
  })
})

describe('the tray', () => {
  it('shows the number of running transfers and their speed', () => {
    const can = { pause: true, resume: false }
    const activity = { moving: 2, still: 1, waitingForSpace: 0, bytes: 0, totalBytes: 0 }
    const of = (upload: number, download: number): TrayView =>
      trayView({ ...activity, upload, download }, can)
    expect(of(118e6, 0).status).toBe('2 transfers · ↑ 118 MB/s')
    expect(of(118e6, 2.1e6).status).toBe('2 transfers · ↑ 118 MB/s ↓ 2.1 MB/s')
    expect(of(0, 0).status).toBe('2 transfers')
  })

  it('pauses running transfers and resumes paused ones', () => {
    const { pauses, enter } = openDesktop(moving)
    const item = () => electron.menu.find(({ label }) => label?.endsWith('all'))
    expect(item()).toMatchObject({ label: 'Pause all', enabled: true })
    item()?.click?.()
    expect(pauses.pauseShare).toHaveBeenCalledExactlyOnceWith('s1', true)
    enter(stateWith({ receives: [receive({ phase: 'paused' })] }))
    expect(item()).toMatchObject({ label: 'Resume all' })
    item()?.click?.()
    expect(pauses.pauseReceive).toHaveBeenCalledExactlyOnceWith('r1', false)
    enter(stateWith({}))
    expect(item()).toMatchObject({ enabled: false })
  })

  it('shows a badge, which disappears with the last transfer', () => {
    const { app, enter } = openDesktop(moving)
    enter(stateWith({}))
    expect(app.setBadgeCount.mock.calls).toEqual([[1], [0]])
  })
})

describe('sleep', () => {
  it('is prevented while data is in flight, by one request', () => {
    const { enter } = openDesktop(moving)
    enter(moving)
    expect(electron.start).toHaveBeenCalledExactlyOnceWith('prevent-app-suspension')
    enter(stateWith({ receives: [receive({ phase: 'paused' })] }))
    expect(electron.stop).toHaveBeenCalledExactlyOnceWith(7)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is left to the system if that is set', () => {
    openDesktop(moving, { keepAwake: false })
    expect(electron.start).not.toHaveBeenCalled()
  })
})
