import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '#client/client'
import { ended } from '#client/session/requests'
import { folderOfTest } from '#client/testing/temporary-folder'
import { err, ok } from '#shared/result'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import type { Settings } from '#shared/settings/settings'
import { defaultShareOptions } from '#shared/settings/share-options'
import {
  emptyState,
  type Receive,
  type ReceiveId,
  type ResumableReceive,
  type ShareId,
  type TransferId,
} from '#shared/state/app-state'
import type { Contact, ContactId } from '#shared/state/contacts'
import type { NearbyId } from '#shared/state/nearby'
import type { StorageError } from '#shared/state/storage-error'

const desktop = vi.hoisted(() => ({
  writeText: vi.fn(),
  openPath: vi.fn(() => Promise.resolve('')),
  showItem: vi.fn(),
  openExternal: vi.fn(() => Promise.resolve()),
  chosen: [] as string[],
  saveTo: '',
  offered: '',
}))

vi.mock('electron', () => ({
  clipboard: { writeText: desktop.writeText },
  shell: {
    openPath: desktop.openPath,
    showItemInFolder: desktop.showItem,
    openExternal: desktop.openExternal,
  },
  app: { getAppPath: () => '/app' },
  nativeImage: { createFromPath: () => ({ resize: () => null }) },
  BrowserWindow: { getFocusedWindow: () => null, getAllWindows: () => [] },
  dialog: {
    showOpenDialog: () =>
      Promise.resolve({ canceled: desktop.chosen.length === 0, filePaths: desktop.chosen }),
    showSaveDialog: ({ defaultPath }: { readonly defaultPath: string }) => {
      desktop.offered = defaultPath
      return Promise.resolve({ canceled: desktop.saveTo === '', filePath: desktop.saveTo })
    },
  },
}))

const { createHandlers } = await import('../main/handlers')

const receive = 'r1' as ReceiveId
const other = 'r2' as ReceiveId
const continuing = 'r3' as ReceiveId

const resumable: ResumableReceive = {
  transfer: 'a'.repeat(32) as TransferId,
  ...{
    title: 'a',
    from: 'Mina',
    directory: '/media/usb',
    bytes: 1,
    totalBytes: 2,
    lastSeenMs: 1,
    hasResumeKey: false,
  },
  options: { ...defaultReceiveOptions, conflict: 'skip' },
  ...{ selection: selectAll, changes: [{ patterns: ['a'], wanted: false }] },
}

const anna: Contact = {
  ...{ id: 'c'.repeat(32) as ContactId, name: 'Anna', server: 'ws://a/v1', addedMs: 1 },
  ...{ lastSeenMs: null, autoAccept: null },
}

function fakeClient(
  directory: string | null = null,
  autoAccept: Contact['autoAccept'] = null,
  first: object = { id: receive, directory, transfer: 'none' },
) {
  const state = {
    ...emptyState('/home/sora/Downloads'),
    receives: [
      first,
      { id: continuing, directory: null, transfer: resumable.transfer },
    ] as unknown as readonly Receive[],
    resumableReceives: [resumable],
    contacts: [{ ...anna, autoAccept }],
    storage: [] as readonly StorageError[],
  }
  const openShare = vi.fn(() => ok('s1'))
  const send = vi.fn(() => ok('s1'))
  const answered = vi.fn((..._: unknown[]) => ok('s3'))
  const addItems = vi.fn(() => Promise.resolve(ok(null)))
  const accept = vi.fn((..._: unknown[]) => ok(null))
  const preflight = vi.fn((..._: unknown[]) => Promise.resolve(ok(null)))
  const changeSettings = vi.fn(() => Promise.resolve(ok(null)))
  const setAutoAccept = vi.fn(() => Promise.resolve(ok(null)))
  const client = {
    contacts: { setAutoAccept },
    history: { find: () => Promise.resolve(ok({ paths: ['/home/sora/site'] })) },
    snapshot: () => ({ seq: 7, state }),
    openShare,
    send,
    addItems,
    changeSettings,
    answer: answered,
    shares: new Map(),
    requests: new Map(),
    receives: new Map(
      [receive, other, continuing].map((id) => [
        id,
        {
          accept: (plan: unknown) => accept(id, plan),
          preflight: (plan: unknown) => preflight(id, plan),
        },
      ]),
    ),
  }
  const handlers = createHandlers(
    client as unknown as Client,
    { take: () => ok(null) },
    { text: (id) => (id === receive ? 'a log' : null) },
    { share: (_png, open) => Promise.resolve(open('/temp/image.png')) },
    { defer: () => Promise.resolve(ok(true)), undo: () => null },
  )
  return {
    handlers,
    openShare,
    send,
    answered,
    addItems,
    accept,
    preflight,
    setAutoAccept,
    changeSettings,
    state,
  }
}

beforeEach(() => {
  desktop.chosen = []
  desktop.saveTo = ''
  vi.clearAllMocks()
})

describe('createHandlers', () => {
  it('shares the file of a pasted image', async () => {
    const { handlers, openShare } = fakeClient()
    expect(await handlers.shareImage({ png: new Uint8Array([1]) })).toEqual(ok('s1'))
    expect(openShare).toHaveBeenCalledWith(
      expect.objectContaining({ items: [{ kind: 'path', path: '/temp/image.png' }] }),
    )
  })

  it('sends to people without a code and without asking again, whatever the settings say', async () => {
    const { handlers, send, state } = fakeClient()
    state.settings = {
      ...state.settings,
      sharing: { ...state.settings.sharing, approve: true, oneReceiver: true },
    }
    const without = { invitedOnly: true, approve: false, oneReceiver: false }
    await handlers.share({ paths: ['/a'], to: { contact: anna.id } })
    expect(send).toHaveBeenLastCalledWith(expect.objectContaining({ ...without, to: [anna.id] }))
    const nearby = '0123456789abcdef' as NearbyId
    await handlers.share({ paths: ['/a'], to: { nearby } })
    expect(send).toHaveBeenLastCalledWith(expect.objectContaining({ ...without, nearby: [nearby] }))
  })

  it('opens its own file only if the state names it', async () => {
    const { handlers, state } = fakeClient()
    const file = '/home/sora/.config/thruflux/config.toml'
    expect(await handlers.showStorage({ file })).toMatchObject({ ok: false })
    expect(desktop.showItem).not.toHaveBeenCalled()
    state.storage = [{ file, kind: 'malformed', detail: 'line 3' }]
    expect(await handlers.showStorage({ file })).toEqual(ok(null))
    expect(desktop.showItem).toHaveBeenCalledWith(file)
  })

  it('exports the settings to the chosen file, but never over those of a newer version', async () => {
    const { handlers } = fakeClient()
    expect(await handlers.exportSettings(undefined)).toEqual(ok(null))
    const folder = folderOfTest()
    desktop.saveTo = join(folder, 'mine.toml')
    expect(await handlers.exportSettings(undefined)).toEqual(ok({ name: 'mine.toml', withheld: 0 }))
    expect(readFileSync(desktop.saveTo, 'utf8')).toContain('version = 1')
    writeFileSync(desktop.saveTo, 'version = 9\n')
    expect(await handlers.exportSettings(undefined)).toMatchObject({ ok: false })
    expect(readFileSync(desktop.saveTo, 'utf8')).toBe('version = 9\n')
  })

  it('imports the previewed file, once', async () => {
    const { handlers, changeSettings } = fakeClient()
    expect(await handlers.importSettings(undefined)).toMatchObject({ ok: false })
    const folder = folderOfTest()
    const file = join(folder, 'studio.toml')
    writeFileSync(file, '[receiving]\nconflicts = "skip"\nverify = 3\n')
    desktop.chosen = [file]
    expect(await handlers.pickSettings(undefined)).toMatchObject({
      value: { name: 'studio.toml', changes: [{ key: 'receiving.conflicts' }], refused: [{}] },
    })
    expect(changeSettings).not.toHaveBeenCalled()
    expect(await handlers.importSettings(undefined)).toEqual(ok(null))
    expect(changeSettings).toHaveBeenCalledWith({ receiving: { conflicts: 'skip' } })
    expect(await handlers.importSettings(undefined)).toMatchObject({ ok: false })
    desktop.chosen = [folder]
    expect(await handlers.pickSettings(undefined)).toMatchObject({ ok: false })
  })

  it('copies the log of a transfer, if there is one', async () => {
    const { handlers } = fakeClient()
    expect(await handlers.copyLog({ id: receive })).toEqual(ok(null))
    expect(desktop.writeText).toHaveBeenCalledWith('a log')
    expect(await handlers.copyLog({ id: 'r9' })).toMatchObject({
      error: { code: 'E_BAD_ARGUMENT' },
    })
  })

  it('accepts into Downloads unless another folder was chosen for that receive', async () => {
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

  it('resumes an unfinished receive with its earlier options, unless others are chosen', async () => {
    const { handlers, accept, preflight } = fakeClient()
    const { directory, options, selection, changes } = resumable
    await handlers.accept({ receive: continuing })
    expect(accept).toHaveBeenLastCalledWith(continuing, { directory, options, selection, changes })
    const chosen = { options: defaultReceiveOptions, selection: { ...selectAll, only: ['b'] } }
    await handlers.preflight({ receive: continuing, ...chosen })
    expect(preflight).toHaveBeenLastCalledWith(continuing, { directory, ...chosen, changes: [] })
  })

  it('adds picked files to a share, if any', async () => {
    const { handlers, addItems } = fakeClient()
    const share = 's1' as ShareId
    expect(await handlers.pickAndAdd({ share, kind: 'files' })).toEqual(ok(null))
    expect(addItems).not.toHaveBeenCalled()
    desktop.chosen = ['/tmp/a']
    expect(await handlers.pickAndAdd({ share, kind: 'files' })).toEqual(ok(null))
    expect(addItems).toHaveBeenCalledWith(share, [{ kind: 'path', path: '/tmp/a' }])
  })

  it('refuses commands about an ended share or receive', async () => {
    const { handlers } = fakeClient()
    const [share, gone] = ['s1' as ShareId, 'r99' as ReceiveId]
    for (const reply of [
      handlers.renewCode({ share }),
      handlers.pauseReceive({ receive: gone, paused: true }),
      handlers.listFiles({
        side: { receive: gone },
        query: { filter: 'all', query: '', offset: 0, limit: 1 },
      }),
      handlers.preflight({ receive: gone, options: defaultReceiveOptions, selection: selectAll }),
    ]) {
      expect(await reply).toEqual(ended)
    }
  })

  it('takes the folder to receive into from the dialog', async () => {
    const { handlers, changeSettings } = fakeClient()
    expect(await handlers.pickReceivingFolder(undefined)).toEqual(ok(null))
    expect(changeSettings).not.toHaveBeenCalled()
    desktop.chosen = ['/media/projects']
    expect(await handlers.pickReceivingFolder(undefined)).toEqual(ok('/media/projects'))
    await handlers.changeSettings({ receiving: { folder: null } })
    await handlers.setLimits({ upload: 5, download: 0 })
    expect(changeSettings.mock.calls).toEqual([
      [{ receiving: { folder: '/media/projects' } }],
      [{ receiving: { folder: null } }],
      [{ network: { uploadLimit: 5, downloadLimit: 0 } }],
    ])
  })

  it('receives into the folder of the settings, and suggests the last choice the next time', async () => {
    const { handlers, accept, changeSettings, state } = fakeClient()
    const set = (receiving: Partial<Settings['receiving']>): void => {
      const { settings } = state
      state.settings = { ...settings, receiving: { ...settings.receiving, ...receiving } }
    }
    set({ folder: '/media/projects' })
    await handlers.accept({ receive, options: defaultReceiveOptions })
    expect(accept).toHaveBeenLastCalledWith(receive, {
      ...{ directory: '/media/projects', options: defaultReceiveOptions },
    })
    // Nothing in it is new, and a resumed receive does not affect the next one.
    await handlers.accept({ receive: continuing })
    expect(changeSettings).not.toHaveBeenCalled()
    desktop.chosen = ['/home/sora/Downloads']
    await handlers.pickDirectory({ receive })
    const options = { ...defaultReceiveOptions, conflict: 'replace' } as const
    await handlers.accept({ receive, options })
    expect(changeSettings.mock.calls).toEqual([
      [{ receiving: { folder: null, conflicts: 'replace' } }],
    ])
    // Following implies its own policy.
    await handlers.accept({ receive: other, options: { ...options, follow: true } })
    set({ rememberLast: false })
    desktop.chosen = ['/media/usb']
    await handlers.pickDirectory({ receive: other })
    await handlers.accept({ receive: other, options })
    expect(changeSettings).toHaveBeenCalledTimes(1)
  })

  it('stores nothing about a receive that could not be accepted', async () => {
    const { handlers, accept, changeSettings } = fakeClient()
    accept.mockReturnValueOnce(err({ code: 'E_BAD_ARGUMENT', detail: '', subject: '' }) as never)
    desktop.chosen = ['/media/projects']
    await handlers.pickDirectory({ receive })
    await handlers.accept({ receive })
    expect(changeSettings).not.toHaveBeenCalled()
  })

  it('IPC-04 opens no dialog for an unknown receive', async () => {
    const { handlers } = fakeClient()
    desktop.chosen = ['/media/projects']
    const guessed = 'r99' as ReceiveId
    const unknown = { ok: false, error: { code: 'E_BAD_ARGUMENT' } }
    expect(await handlers.pickDirectory({ receive: guessed })).toMatchObject(unknown)
    expect(await handlers.saveText({ receive: guessed, text: 'x', name: 'x' })).toMatchObject(
      unknown,
    )
    expect(await handlers.showFolder({ receive: guessed })).toMatchObject(unknown)
  })

  it('opens a link of a received text, and nothing else', async () => {
    const texts = [{ name: 'Text', text: 'See https://studio.example.org/map.' }]
    const { handlers } = fakeClient(null, null, { id: receive, transfer: 'none', texts })
    const link = 'https://studio.example.org/map'
    expect(await handlers.openLink({ receive, link })).toEqual(ok(null))
    expect(desktop.openExternal.mock.calls).toEqual([[link]])
    for (const elsewhere of ['https://evil.example', 'https://studio.example.org/']) {
      expect(await handlers.openLink({ receive, link: elsewhere })).toMatchObject({ ok: false })
    }
    expect(await handlers.openLink({ receive: other, link })).toMatchObject({ ok: false })
    expect(desktop.openExternal).toHaveBeenCalledTimes(1)
  })

  it('saves a text to the chosen place, and reports a failure', async () => {
    const { handlers } = fakeClient()
    const text = { receive, text: 'hello', name: 'a/b' }
    expect(await handlers.saveText(text)).toEqual(ok(null))
    const folder = folderOfTest()
    desktop.saveTo = join(folder, 'note.txt')
    expect(await handlers.saveText(text)).toEqual(ok(desktop.saveTo))
    expect(readFileSync(desktop.saveTo, 'utf8')).toBe('hello')
    expect(desktop.offered).toBe(join('/home/sora/Downloads', 'a_b.txt'))
    desktop.saveTo = join(folder, 'missing', 'note.txt')
    expect(await handlers.saveText(text)).toMatchObject({ ok: false })
  })

  it('replaces a file with a saved text atomically, and leaves nothing on failure', async () => {
    const { handlers } = fakeClient()
    const folder = folderOfTest()
    const text = { receive, text: 'hello', name: 'note' }
    desktop.saveTo = join(folder, 'note.txt')
    writeFileSync(desktop.saveTo, 'what was there')
    // Preserves the old content under a second name.
    linkSync(desktop.saveTo, join(folder, 'old'))
    expect(await handlers.saveText(text)).toEqual(ok(desktop.saveTo))
    expect(readFileSync(desktop.saveTo, 'utf8')).toBe('hello')
    expect(readFileSync(join(folder, 'old'), 'utf8')).toBe('what was there')
    desktop.saveTo = join(folder, 'taken')
    mkdirSync(desktop.saveTo)
    expect(await handlers.saveText(text)).toMatchObject({ ok: false })
    expect(readdirSync(folder)).toEqual(['note.txt', 'old', 'taken'])
  })

  it('keeps the folder when the picker is closed without a choice', async () => {
    const { handlers, accept } = fakeClient()
    expect(await handlers.pickDirectory({ receive })).toEqual(ok(null))
    await handlers.accept({ receive })
    expect(accept).toHaveBeenCalledWith(receive, { directory: '/home/sora/Downloads' })
  })

  it('sends picked files to a request, without the settings for own codes', async () => {
    const { handlers, answered } = fakeClient()
    const code = '4821-apple-kayak-onion'
    expect(await handlers.pickAndAnswer({ kind: 'files', code })).toEqual(ok(null))
    desktop.chosen = ['/tmp/a']
    expect(await handlers.pickAndAnswer({ kind: 'files', code })).toEqual(ok('s3'))
    const items = [{ kind: 'path', path: '/tmp/a' }]
    expect(answered).toHaveBeenCalledWith(
      code,
      expect.objectContaining({ items, approve: false, oneReceiver: false }),
    )
  })

  it('shares picked files, if any', async () => {
    const { handlers, openShare } = fakeClient()
    expect(await handlers.pickAndShare({ kind: 'files' })).toEqual(ok(null))
    desktop.chosen = ['/tmp/a', '/tmp/b']
    expect(await handlers.pickAndShare({ kind: 'files' })).toEqual(ok('s1'))
    expect(openShare.mock.calls).toEqual([
      [
        {
          // The options from the settings.
          ...defaultShareOptions,
          items: [
            { kind: 'path', path: '/tmp/a' },
            { kind: 'path', path: '/tmp/b' },
          ],
        },
      ],
    ])
  })

  it('sends history entries again with the options for new shares', async () => {
    const { handlers, openShare, state } = fakeClient()
    const { settings } = state
    const sharing = { ...settings.sharing, exclude: ['node_modules'], codeLife: '1h' } as const
    state.settings = { ...settings, sharing }
    expect(await handlers.sendAgain({ id: 1 })).toEqual(ok('s1'))
    expect(openShare).toHaveBeenCalledExactlyOnceWith({
      ...{ ...defaultShareOptions, exclude: ['node_modules'], codeLifeMs: 3_600_000 },
      items: [{ kind: 'path', path: '/home/sora/site' }],
    })
  })

  it('shows the folder of a receive, if it has one', async () => {
    expect(await fakeClient().handlers.showFolder({ receive })).toMatchObject({ ok: false })
    expect(await fakeClient('/tmp/in').handlers.showFolder({ receive })).toEqual(ok(null))
    expect(desktop.openPath).toHaveBeenCalledExactlyOnceWith('/tmp/in')
  })

  it('selects a single received file, and opens it if its type is harmless', async () => {
    const folder = folderOfTest()
    const finished = (name: string) => ({
      ...{ id: receive, phase: 'done', directory: folder, mappedCount: 0, mappedNames: [] },
      ...{ items: [{ name, kind: 'file' }], outcome: { renamed: 0 } },
    })
    for (const name of ['film.mp4', 'setup.exe']) {
      writeFileSync(join(folder, name), '')
      const { handlers } = fakeClient('/tmp/in', null, finished(name))
      expect(await handlers.showFolder({ receive })).toEqual(ok(null))
      expect(desktop.showItem).toHaveBeenLastCalledWith(join(folder, name))
      expect((await handlers.viewReceived({ receive })).ok).toBe(name === 'film.mp4')
      expect(await handlers.dragReceived({ receive })).toEqual(ok(null))
    }
    expect(desktop.openPath).toHaveBeenCalledExactlyOnceWith(join(folder, 'film.mp4'))
  })

  it('reports that the system cannot show the folder', async () => {
    desktop.openPath.mockResolvedValueOnce('no such folder')
    const reply = await fakeClient('/tmp/in').handlers.showFolder({ receive })
    expect(reply).toEqual(
      err({ code: 'E_PATH_NOT_FOUND', detail: 'no such folder', subject: '/tmp/in' }),
    )
  })

  it('accepts offers of a contact automatically only into a picked folder', async () => {
    const { handlers, setAutoAccept } = fakeClient()
    const contact = anna.id
    expect(await handlers.pickAutoAccept({ contact })).toEqual(ok(null))
    expect(setAutoAccept).not.toHaveBeenCalled()
    desktop.chosen = ['/media/anna']
    expect(await handlers.pickAutoAccept({ contact })).toEqual(ok('/media/anna'))
    expect(setAutoAccept).toHaveBeenLastCalledWith(contact, { directory: '/media/anna' })
    const stranger = { contact: 'd'.repeat(32) as ContactId }
    expect(await handlers.pickAutoAccept(stranger)).toMatchObject({ ok: false })
    expect(await handlers.stopAutoAccept({ contact })).toEqual(ok(null))
    expect(setAutoAccept).toHaveBeenLastCalledWith(contact, null)
  })

  it('keeps the limit of a contact when its folder is changed', async () => {
    const autoAccept = { directory: '/media/old', maxBytes: 20e9 }
    const { handlers, setAutoAccept } = fakeClient(null, autoAccept)
    desktop.chosen = ['/media/anna']
    await handlers.pickAutoAccept({ contact: anna.id })
    expect(setAutoAccept).toHaveBeenLastCalledWith(anna.id, {
      ...{ directory: '/media/anna', maxBytes: 20e9 },
    })
  })

  it('copies text to the clipboard', async () => {
    expect(await fakeClient().handlers.copyText({ text: '4821' })).toEqual(ok(null))
    expect(desktop.writeText).toHaveBeenCalledWith('4821')
  })
})
