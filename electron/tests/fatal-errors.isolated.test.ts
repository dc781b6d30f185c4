/** A crashing page, over a scripted Electron. */
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import type { App } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { RunMarker } from '../main/run-marker'

const loadURL = vi.hoisted(() => vi.fn(() => Promise.resolve()))

vi.mock('electron', () => ({
  BrowserWindow: { fromWebContents: () => ({ webContents: { loadURL } }), getAllWindows: () => [] },
  nativeTheme: {},
  screen: {},
  protocol: {},
}))

const { restartArguments, watchFatalErrors } = await import('../main/fatal-errors')

describe('watchFatalErrors', () => {
  it('reloads the page once, then reports the failure', () => {
    const app = new EventEmitter()
    const noteBug = vi.fn()
    const on = vi.spyOn(process, 'on').mockReturnValue(process)
    watchFatalErrors(app as unknown as App, { noteBug })
    expect(on.mock.calls.map(([event]) => event)).toEqual([
      'uncaughtException',
      'unhandledRejection',
    ])
    on.mockRestore()
    const contents = { reload: vi.fn() }
    app.emit('render-process-gone', {}, contents, { reason: 'clean-exit' })
    expect(contents.reload).not.toHaveBeenCalled()
    app.emit('render-process-gone', {}, contents, { reason: 'crashed' })
    expect(contents.reload).toHaveBeenCalledOnce()
    expect(loadURL).not.toHaveBeenCalled()
    app.emit('render-process-gone', {}, contents, { reason: 'oom' })
    expect(loadURL).toHaveBeenCalledExactlyOnceWith(
      'app://thruflux/index.html?lang=en&fatal=window',
    )
    expect(noteBug.mock.calls).toEqual([
      ['window', 'crashed'],
      ['window', 'oom'],
    ])
  })
})

describe('restartArguments', () => {
  it('keeps switches and the app itself, and drops files, links, hiding and the first action', () => {
    const given = [
      '--name=Mina',
      '/data/a.txt',
      'thruflux:join?v=1&c=x',
      '--hidden',
      '--enter-code',
    ]
    expect(restartArguments(['thruflux', ...given], false)).toEqual(['--name=Mina'])
    expect(restartArguments(['electron', '--no-sandbox', '/src', ...given], true)).toEqual([
      ...['/src', '--no-sandbox', '--name=Mina'],
    ])
  })

  it.each([
    ['a link', ['--name=Mina', 'thruflux:x', '--gpu-launcher=evil']],
    ['"--"', ['--name=Mina', '--', 'thruflux:x', '--gpu-launcher=evil']],
  ])('keeps nothing after %s', (_, given) => {
    expect(restartArguments(['thruflux', ...given], false)).toEqual(['--name=Mina'])
  })
})

describe('RunMarker', () => {
  it('reports a crashed run, once', () => {
    const directory = folderOfTest()
    const profile = join(directory, 'profile')
    expect(new RunMarker(profile).begin()).toBe(false)
    const next = new RunMarker(profile)
    expect(next.begin()).toBe(true)
    next.end()
    expect(new RunMarker(profile).begin()).toBe(false)
  })
})
