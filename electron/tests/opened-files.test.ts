import { EventEmitter } from 'node:events'
import { pathToFileURL } from 'node:url'
import type { App } from 'electron'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limits } from '#shared/limits'
import { ok } from '#shared/result'
import { filesIn, OpenedFiles, ownFiles } from '../main/opened-files'

const directory = '/home/mina'

const of = (...argv: readonly string[]) =>
  filesIn({ argv: ['thruflux', ...argv], directory, isDevelopment: false })

describe('filesIn', () => {
  it('returns absolute paths, with relative ones resolved against the folder of the start', () => {
    expect(of('/data/a.txt', 'b c.txt', './d/', '../e')).toEqual(
      ok(['/data/a.txt', '/home/mina/b c.txt', '/home/mina/d', '/home/e']),
    )
  })

  it('accepts file URLs, as file managers pass them', () => {
    expect(of(pathToFileURL('/data/two words ü.txt').href)).toEqual(ok(['/data/two words ü.txt']))
    expect(of('file://elsewhere/share/a.txt')).toMatchObject({ ok: false })
    expect(of('file:///%00')).toMatchObject({ ok: false })
  })

  it('ignores switches and empty arguments', () => {
    expect(of('--hidden', '', '--name=Mina', '-x', '--', 'a')).toEqual(ok(['/home/mina/a']))
  })

  it('omits the app itself when it is started from a checkout', () => {
    const argv = ['electron', '--no-sandbox', '/src/thruflux', '--hidden', 'a']
    expect(filesIn({ argv, directory, isDevelopment: true })).toEqual(ok(['/home/mina/a']))
  })

  it('LINK-03 and LINK-04 reads no file from a command line with a link', () => {
    expect(of('thruflux:join?v=1&c=x', '/etc/passwd')).toEqual(ok([]))
    expect(of('/etc/passwd', 'THRUFLUX:join"')).toEqual(ok([]))
  })

  it('refuses more files than a share allows, and paths that are too long', () => {
    const many = Array.from({ length: limits.pathsPerShare + 1 }, (_, index) => `f${index}`)
    expect(of(...many)).toMatchObject({ ok: false, error: { code: 'E_LIMIT_EXCEEDED' } })
    expect(of('x'.repeat(limits.pathBytes + 1))).toMatchObject({ ok: false })
  })
})

describe('OpenedFiles', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  it('shares the files of several starts under one code, once the app is ready', () => {
    const opened = new OpenedFiles()
    const share = vi.fn()
    opened.add(['/a'])
    opened.add(['/b'])
    opened.shareWith(share)
    opened.add(['/c'])
    vi.advanceTimersByTime(400)
    expect(share).toHaveBeenCalledExactlyOnceWith(['/a', '/b', '/c'])
    opened.add(['/d'])
    vi.advanceTimersByTime(400)
    expect(share).toHaveBeenLastCalledWith(['/d'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps no more files than a share allows', () => {
    const opened = new OpenedFiles()
    const share = vi.fn()
    for (let start = 0; start < 4; start += 1) {
      opened.add(Array.from({ length: 3000 }, (_, index) => `/${start}/${index}`))
    }
    opened.shareWith(share)
    vi.advanceTimersByTime(400)
    expect(share.mock.calls[0]?.[0]).toHaveLength(limits.pathsPerShare)
  })
})

it('files are accepted from the first start, from later ones, and from macOS', () => {
  const app = new EventEmitter()
  const add = vi.fn()
  const refuse = vi.fn()
  const first = { argv: ['thruflux', 'a'], directory, isDevelopment: false }
  ownFiles(app as unknown as App, first, { add }, refuse)
  app.emit('second-instance', {}, ['thruflux', 'b'], '/tmp')
  const preventDefault = vi.fn()
  app.emit('open-file', { preventDefault }, '/Users/mina/c')
  expect(add.mock.calls).toEqual([[['/home/mina/a']], [['/tmp/b']], [['/Users/mina/c']]])
  expect(preventDefault).toHaveBeenCalledOnce()
  app.emit('second-instance', {}, ['thruflux', 'file://elsewhere/a'], '/tmp')
  expect(refuse).toHaveBeenCalledOnce()
})
