import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '#client/client'
import {
  emptyState,
  type Receive,
  type ReceiveId,
  type ShareId,
  type TransferId,
  type Unfinished,
} from '#shared/app-state'
import { err, ok } from '#shared/result'

const desktop = vi.hoisted(() => ({
  writeText: vi.fn(),
  openPath: vi.fn(() => Promise.resolve('')),
  chosen: [] as string[],
  isSaving: true,
}))

vi.mock('electron', () => ({
  clipboard: { writeText: desktop.writeText },
  shell: { openPath: desktop.openPath },
  BrowserWindow: { getFocusedWindow: () => null, getAllWindows: () => [] },
  dialog: {
    showOpenDialog: () =>
      Promise.resolve({ canceled: desktop.chosen.length === 0, filePaths: desktop.chosen }),
    showSaveDialog: ({ defaultPath }: { readonly defaultPath: string }) =>
      Promise.resolve({ canceled: !desktop.isSaving, filePath: defaultPath }),
  },
}))

const { createHandlers } = await import('../main/handlers')

const receive = 'r1' as ReceiveId
const other = 'r2' as ReceiveId
const transfer = '0123456789abcdef0123456789abcdef' as TransferId

const item = (path: string) => ({ kind: 'path', path })

function fakeClient(directory: string | null = null, earlier: string | null = null) {
  const state = {
    ...emptyState('/home/sora/Downloads'),
    receives: [{ id: receive, transfer, directory } as unknown as Receive],
    unfinished: earlier === null ? [] : [{ transfer, directory: earlier } as Unfinished],
  }
  const openShare = vi.fn(() => ok('s1'))
  const addItems = vi.fn(() => Promise.resolve(ok(null)))
  const accept = vi.fn(() => ok(null))
  const client = { snapshot: () => ({ seq: 7, state }), openShare, addItems, accept }
  return { handlers: createHandlers(client as unknown as Client), openShare, addItems, accept }
}

beforeEach(() => {
  desktop.chosen = []
  vi.clearAllMocks()
})

describe('createHandlers', () => {
  it('accepts into Downloads unless another folder was chosen for that very receive', async () => {
    const { handlers, accept } = fakeClient()
    desktop.chosen = ['/media/projects']
    expect(await handlers.pickDirectory({ receive })).toEqual(ok('/media/projects'))
    await handlers.accept({ receive })
    await handlers.accept({ receive: other })
    expect(accept.mock.calls).toEqual([
      [receive, { directory: '/media/projects' }],
      [other, { directory: '/home/sora/Downloads' }],
    ])
  })

  it('keeps the folder when the picker is closed without a choice', async () => {
    const { handlers, accept } = fakeClient()
    expect(await handlers.pickDirectory({ receive })).toEqual(ok(null))
    await handlers.accept({ receive })
    expect(accept).toHaveBeenCalledWith(receive, { directory: '/home/sora/Downloads' })
  })

  it('shares what was picked, and nothing when nothing was', async () => {
    const { handlers, openShare } = fakeClient()
    expect(await handlers.pickAndShare({ kind: 'files' })).toEqual(ok(null))
    desktop.chosen = ['/tmp/a', '/tmp/b']
    expect(await handlers.pickAndShare({ kind: 'files' })).toEqual(ok('s1'))
    expect(openShare.mock.calls).toEqual([[{ items: [item('/tmp/a'), item('/tmp/b')] }]])
  })

  it('goes on in the folder of an earlier attempt unless another one was chosen', async () => {
    const { handlers, accept } = fakeClient(null, '/media/before')
    await handlers.accept({ receive })
    desktop.chosen = ['/media/now']
    await handlers.pickDirectory({ receive })
    await handlers.accept({ receive })
    expect(accept.mock.calls).toEqual([
      [receive, { directory: '/media/before' }],
      [receive, { directory: '/media/now' }],
    ])
  })

  it('adds what was picked to a share, and texts as they are', async () => {
    const { handlers, addItems } = fakeClient()
    const share = 's1' as ShareId
    desktop.chosen = ['/tmp/a']
    await handlers.pickAndAdd({ share, kind: 'files' })
    await handlers.addText({ share, text: 'hello', name: 'note' })
    expect(addItems.mock.calls).toEqual([
      [share, [item('/tmp/a')]],
      [share, [{ kind: 'text', text: 'hello', name: 'note' }]],
    ])
  })

  it('saves a text where the person wants it, under a name that is no path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'thruflux-save-'))
    const { handlers } = fakeClient(folder)
    const text = { receive, name: '../../evil', text: 'hello' }
    desktop.isSaving = false
    expect(await handlers.saveText(text)).toEqual(ok(null))
    expect(await readdir(folder)).toEqual([])
    desktop.isSaving = true
    const saved = join(folder, 'evil.txt')
    expect(await handlers.saveText(text)).toEqual(ok(saved))
    expect(await readFile(saved, 'utf8')).toBe('hello')
    await rm(folder, { recursive: true })
  })

  it('shows the folder of a receive that has one', async () => {
    expect(await fakeClient().handlers.showFolder({ receive })).toMatchObject({ ok: false })
    expect(await fakeClient('/tmp/in').handlers.showFolder({ receive })).toEqual(ok(null))
    expect(desktop.openPath).toHaveBeenCalledExactlyOnceWith('/tmp/in')
  })

  it('says when the system can not show the folder', async () => {
    desktop.openPath.mockResolvedValueOnce('no such folder')
    const reply = await fakeClient('/tmp/in').handlers.showFolder({ receive })
    expect(reply).toEqual(
      err({ code: 'E_PATH_NOT_FOUND', detail: 'no such folder', subject: '/tmp/in' }),
    )
  })

  it('puts text into the clipboard', async () => {
    expect(await fakeClient().handlers.copyText({ text: '4821' })).toEqual(ok(null))
    expect(desktop.writeText).toHaveBeenCalledWith('4821')
  })
})
