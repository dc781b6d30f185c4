import { beforeEach, describe, expect, it, vi } from 'vitest'
import { appError } from '#shared/errors'
import { commands, type Handlers } from '#shared/ipc'
import { err, ok } from '#shared/result'
import type { ReceiveId, ShareId } from '#shared/state/app-state'

type Listener = (event: unknown, raw: unknown) => Promise<unknown>

const listeners = vi.hoisted(() => new Map<string, Listener>())

vi.mock('electron', () => ({
  ipcMain: {
    handle: (channel: string, listener: Listener) => listeners.set(channel, listener),
  },
}))

const { serveIpc } = await import('../main/serve-ipc')

const shared = vi.fn(() => ok('s1' as ShareId))

const nothing = () => ok(null)
const unused = () => err(appError('E_INTERNAL'))

const handlers: Handlers = {
  snapshot: () => Promise.reject(new Error('a bug')),
  share: shared,
  pickAndShare: nothing,
  shareText: unused,
  shareImage: shared,
  add: nothing,
  pickAndAdd: nothing,
  addText: nothing,
  removeItem: nothing,
  setMaxReceivers: nothing,
  watchShare: nothing,
  changeCode: nothing,
  renewCode: nothing,
  request: unused,
  pickAndAnswer: unused,
  canShareAgain: unused,
  shareAgain: unused,
  defer: unused,
  undo: nothing,
  disconnectReceiver: nothing,
  approveReceiver: nothing,
  pauseShare: nothing,
  pauseReceive: nothing,
  setLimits: nothing,
  changeSettings: nothing,
  pickReceivingFolder: nothing,
  prepareJoin: nothing,
  join: () => err(appError('E_BAD_CODE')),
  resume: unused,
  takeLink: nothing,
  listOffer: unused,
  preflight: unused,
  accept: nothing,
  select: nothing,
  prioritize: nothing,
  listFiles: unused,
  cancel: nothing,
  pickDirectory: nothing,
  showFolder: nothing,
  viewReceived: nothing,
  dragReceived: nothing,
  deletePartial: unused,
  checkServer: unused,
  checkNetwork: unused,
  listHistory: unused,
  missingHistory: unused,
  sendAgain: unused,
  showHistory: nothing,
  invite: nothing,
  compareNumber: nothing,
  answerNearby: nothing,
  requestContact: nothing,
  renameContact: nothing,
  setContactGroups: nothing,
  removeContact: nothing,
  pickAutoAccept: nothing,
  stopAutoAccept: nothing,
  acceptInvitation: unused,
  declineInvitation: nothing,
  dismiss: nothing,
  copyLog: nothing,
  exportSettings: nothing,
  pickSettings: nothing,
  importSettings: nothing,
  keepDraft: nothing,
  draft: nothing,
  showStorage: nothing,
  takeRequests: () => ok([]),
  restart: nothing,
  checkForUpdate: nothing,
  installUpdate: nothing,
  news: unused,
  copyReport: nothing,
  readNotices: () => ok(''),
  copyText: nothing,
  openLink: nothing,
  saveText: nothing,
}

/** The beginning of a PNG, in this many bytes. */
function pngOf(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].slice(0, length))
  return bytes
}

const cyclic: Record<string, unknown> = { paths: ['/tmp'] }
cyclic['self'] = cyclic

const page = 'app://thruflux/index.html'
const ask = (name: string, raw: unknown, senderFrame: unknown = { url: page, parent: null }) =>
  listeners.get(`cmd:${name}`)?.({ senderFrame }, raw)

let nowMs = 0

beforeEach(() => {
  listeners.clear()
  shared.mockClear()
  serveIpc(handlers, () => nowMs)
})

describe('serveIpc', () => {
  it('IPC-01 handles every command of the table and nothing else', () => {
    expect([...listeners.keys()]).toEqual(Object.keys(commands).map((name) => `cmd:${name}`))
  })

  it('passes decoded arguments to the handler and returns its reply', async () => {
    expect(await ask('share', { paths: ['/tmp/a'] })).toEqual(ok('s1'))
    expect(shared).toHaveBeenCalledWith({ paths: ['/tmp/a'] })
  })

  it('returns expected failures unchanged', async () => {
    expect(await ask('join', { code: 'x' })).toEqual(err(appError('E_BAD_CODE')))
  })

  it.each([
    ['nothing', undefined],
    ['no paths', { paths: [] }],
    ['a path with a NUL', { paths: ['/tmp/\0'] }],
    ['paths that are no texts', { paths: [['/etc']] }],
    ['a field too many', { paths: ['/tmp'], directory: '/etc' }],
    ['a text of 100 MiB', { paths: ['x'.repeat(100 * 1024 * 1024)] }],
    ['an object that contains itself', cyclic],
    ['a list', ['/tmp']],
    ['more paths than a drag can hold', { paths: Array<string>(10_001).fill('/tmp') }],
  ])('IPC-01 refuses %s without calling the handler', async (_what, raw) => {
    expect(await ask('share', raw)).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
    expect(shared).not.toHaveBeenCalled()
  })

  it('accepts an image that begins like a PNG', async () => {
    expect(await ask('shareImage', { png: pngOf(9) })).toEqual(ok('s1'))
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['a program', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])],
    ['a signature that is cut', pngOf(7)],
    ['more than 64 MiB', pngOf(64 * 1024 * 1024 + 1)],
    ['a list of numbers', [...pngOf(9)]],
    ['a path', '/etc/passwd'],
  ])('IPC-01 refuses %s as an image without calling the handler', async (_what, png) => {
    expect(await ask('shareImage', { png })).toMatchObject({
      ok: false,
      error: { code: 'E_BAD_ARGUMENT' },
    })
    expect(shared).not.toHaveBeenCalled()
  })

  it.each([
    ['a frame that is gone', null],
    ['a frame inside the page', { url: page, parent: { url: page } }],
    ['another site', { url: 'https://example.org/app://thruflux/', parent: null }],
    ['another host of the scheme', { url: 'app://thruflux.example.org/index.html', parent: null }],
    ['the developer tools', { url: 'devtools://devtools/bundled/inspector.html', parent: null }],
    ['a file', { url: 'file:///tmp/index.html', parent: null }],
  ])('IPC-02 refuses %s without calling the handler', async (_what, senderFrame) => {
    const reply = await ask('share', { paths: ['/tmp/a'] }, senderFrame)
    expect(reply).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
    expect(shared).not.toHaveBeenCalled()
  })

  it('IPC-10 refuses commands at an excessive rate, and answers again a moment later', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10_000 }, async () => ask('share', { paths: ['/tmp/a'] })),
    )
    expect(shared).toHaveBeenCalledTimes(400)
    expect(replies.at(-1)).toMatchObject({ ok: false, error: { code: 'E_RATE_LIMITED' } })
    nowMs += 1000
    expect(await ask('share', { paths: ['/tmp/a'] })).toEqual(ok('s1'))
  })

  it('IPC-11 allows no argument to change the prototype of objects', async () => {
    const raw: unknown = JSON.parse('{"paths":["/tmp/a"],"__proto__":{"polluted":true}}')
    await ask('share', raw)
    await ask('setLimits', JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'))
    expect('polluted' in {}).toBe(false)
    for (const call of shared.mock.calls as readonly unknown[][]) {
      expect('polluted' in Object(call[0])).toBe(false)
    }
  })

  it('IPC-05, IPC-06 and IPC-07 has no command that opens addresses, or names folders or servers', async () => {
    const fields = Object.keys(commands).filter((name) =>
      /url|server|feed|open|external/i.test(name),
    )
    // `checkServer` changes nothing, has five possible answers, and tests one server at a time. `openLink` opens only
    // links in a received text.
    expect(fields).toEqual(['checkServer', 'openLink'])
    for (const link of ['file:///etc/passwd', 'javascript:1', `https://a/${'x'.repeat(2048)}`]) {
      expect(await ask('openLink', { receive: 'r1', link })).toMatchObject({ ok: false })
    }
    const file = { name: 'a', url: 'file:///etc/passwd' }
    expect(await ask('checkServer', file)).toMatchObject({ ok: false })
    expect(await ask('accept', { receive: 'r1', directory: '/etc' })).toMatchObject({ ok: false })
    expect(await ask('pickDirectory', { receive: 'r1', start: '/etc' })).toMatchObject({
      ok: false,
    })
  })

  it('answers an exception of a handler without its text', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(await ask('snapshot', undefined)).toEqual(
      err(appError('E_INTERNAL', 'command snapshot failed')),
    )
    expect(log).toHaveBeenCalledOnce()
    log.mockRestore()
  })

  it('accepts only ids of the right length', async () => {
    expect(await ask('accept', { receive: 'r1' as ReceiveId })).toEqual(ok(null))
    expect(await ask('accept', { receive: 'r'.repeat(33) })).toMatchObject({ ok: false })
  })
})
