import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '#client/client'
import { emptyState, type Receive, type ReceiveId } from '#shared/app-state'
import { err, ok } from '#shared/result'

const desktop = vi.hoisted(() => ({
  writeText: vi.fn(),
  openPath: vi.fn(() => Promise.resolve('')),
  chosen: [] as string[],
}))

vi.mock('electron', () => ({
  clipboard: { writeText: desktop.writeText },
  shell: { openPath: desktop.openPath },
  BrowserWindow: { getFocusedWindow: () => null, getAllWindows: () => [] },
  dialog: {
    showOpenDialog: () =>
      Promise.resolve({ canceled: desktop.chosen.length === 0, filePaths: desktop.chosen }),
  },
}))

const { createHandlers } = await import('../main/handlers')

const receive = 'r1' as ReceiveId
const other = 'r2' as ReceiveId

function fakeClient(directory: string | null = null) {
  const state = {
    ...emptyState('/home/sora/Downloads'),
    receives: [{ id: receive, directory } as unknown as Receive],
  }
  const openShare = vi.fn(() => ok('s1'))
  const accept = vi.fn(() => ok(null))
  const client = { snapshot: () => ({ seq: 7, state }), openShare, accept }
  return { handlers: createHandlers(client as unknown as Client), openShare, accept }
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
      [receive, '/media/projects'],
      [other, '/home/sora/Downloads'],
    ])
  })

  it('keeps the folder when the picker is closed without a choice', async () => {
    const { handlers, accept } = fakeClient()
    expect(await handlers.pickDirectory({ receive })).toEqual(ok(null))
    await handlers.accept({ receive })
    expect(accept).toHaveBeenCalledWith(receive, '/home/sora/Downloads')
  })

  it('shares what was picked, and nothing when nothing was', async () => {
    const { handlers, openShare } = fakeClient()
    expect(await handlers.pickAndShare({ kind: 'files' })).toEqual(ok(null))
    desktop.chosen = ['/tmp/a', '/tmp/b']
    expect(await handlers.pickAndShare({ kind: 'files' })).toEqual(ok('s1'))
    expect(openShare.mock.calls).toEqual([[['/tmp/a', '/tmp/b']]])
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
