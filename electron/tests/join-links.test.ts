import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { ok } from '#shared/result'
import { JoinLinks, linkIn, ownLinks } from '../main/join-links'

const code = '4821-apple-kayak-onion'
const link = `thruflux:join?v=1&c=${code}`
const refused = { ok: false, error: { code: 'E_BAD_CODE', subject: 'thruflux:' } }

function rig() {
  let nowMs = 0
  const arrived = vi.fn()
  const links = new JoinLinks(arrived, () => nowMs)
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { links, arrived, pass }
}

describe('JoinLinks', () => {
  it('LINK-01 returns the code of a link once', () => {
    const { links, arrived } = rig()
    expect(links.take()).toEqual(ok(null))
    links.offer(link)
    expect(arrived).toHaveBeenCalledOnce()
    expect(links.take()).toEqual(ok({ code, server: null }))
    expect(links.take()).toEqual(ok(null))
  })

  it('LINK-02 reports an invalid link', () => {
    const { links } = rig()
    links.offer('thruflux://join/?v=1')
    expect(links.take()).toMatchObject(refused)
  })

  it('LINK-06 accepts at most one link per second, and drops the others', () => {
    const { links, arrived, pass } = rig()
    for (let count = 0; count < 1000; count += 1) {
      links.offer(link)
      pass(10)
    }
    expect(arrived).toHaveBeenCalledTimes(10)
    expect(links.take()).toEqual(ok({ code, server: null }))
    expect(links.take()).toEqual(ok(null))
  })
})

describe('LINK-04 only the first link of a command line is read', () => {
  it.each([
    ['with switches before and behind it', ['thruflux', '--inspect', link, '--no-sandbox'], link],
    ['of several', ['thruflux', link, 'thruflux:join?v=1&c=other'], link],
    ['with switches inside', ['thruflux', 'thruflux:x" --gpu-launcher=calc'], null],
    ['as the value of a switch', ['thruflux', `--name=${link}`], undefined],
    ['where there is none', ['thruflux', '.', '/tmp/file'], undefined],
  ])('%s', (_what, argv, expected) => {
    expect(linkIn(argv)).toBe(expected === undefined ? null : (expected ?? argv[1]))
  })
})

/** An app that is the first process of its profile, or not. */
function fakeApp(isFirst: boolean) {
  const app = new EventEmitter()
  const releaseSingleInstanceLock = vi.fn()
  Object.assign(app, { requestSingleInstanceLock: () => isFirst, releaseSingleInstanceLock })
  return { app: app as unknown as App, emit: app.emit.bind(app), releaseSingleInstanceLock }
}

describe('ownLinks', () => {
  it('LINK-08 keeps the link of the first start until the window asks', () => {
    const { links } = rig()
    expect(ownLinks(fakeApp(true).app, ['thruflux', link], links, vi.fn())).toBe(true)
    expect(links.take()).toEqual(ok({ code, server: null }))
  })

  it('LINK-09 leaves everything to the running process', () => {
    const { links, arrived } = rig()
    expect(ownLinks(fakeApp(false).app, ['thruflux', link], links, vi.fn())).toBe(false)
    expect(arrived).not.toHaveBeenCalled()
  })

  it('LINK-09 reads only a link from another start, and shows the window', () => {
    const { links, pass } = rig()
    const { app, emit } = fakeApp(true)
    const raise = vi.fn()
    ownLinks(app, ['thruflux'], links, raise)
    emit('second-instance', {}, ['thruflux', '--server-url=wss://evil.example', '/etc/passwd'])
    expect(raise).toHaveBeenCalledTimes(1)
    expect(links.take()).toEqual(ok(null))
    emit('second-instance', {}, ['thruflux', link, '--inspect'])
    expect(raise).toHaveBeenCalledTimes(2)
    expect(links.take()).toEqual(ok({ code, server: null }))
    pass(1000)
    const preventDefault = vi.fn()
    emit('open-url', { preventDefault }, `${link}&accept=1`)
    expect(preventDefault).toHaveBeenCalledOnce()
    expect(links.take()).toMatchObject(refused)
  })

  it('allows another start while this process ends', () => {
    const { app, emit, releaseSingleInstanceLock } = fakeApp(true)
    ownLinks(app, ['thruflux'], rig().links, vi.fn())
    emit('before-quit')
    expect(releaseSingleInstanceLock).toHaveBeenCalledOnce()
  })
})
