import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { configPath } from '#client/settings/config-path'
import { followSettings } from '#client/settings/follow-settings'
import { SettingsFile } from '#client/settings/settings-file'
import { SettingsInMemory, SettingsStore } from '#client/settings/settings-store'
import { folderOfTest } from '#client/testing/temporary-folder'
import { describeError } from '#shared/describe-error'
import { cautiousSettings, defaultSettings } from '#shared/settings/settings'

const isPosix = process.platform !== 'win32'

let path: string

beforeEach(() => {
  path = join(folderOfTest(), 'thruflux', 'config.toml')
})

const file = () => new SettingsFile(path)

const write = (text: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, text)
}

const onDisk = () => readFileSync(path, 'utf8')

it.each([
  ['linux', { XDG_CONFIG_HOME: '/c' }, '/c/thruflux/config.toml'],
  ['linux', { XDG_CONFIG_HOME: '' }, '/home/u/.config/thruflux/config.toml'],
  ['linux', { XDG_CONFIG_HOME: 'here' }, '/home/u/.config/thruflux/config.toml'],
  ['darwin', {}, '/home/u/Library/Application Support/Thruflux/config.toml'],
] as const)('is for %s with %j at %s', (platform, env, expected) => {
  expect(configPath(platform, env, '/home/u')).toBe(expected)
})

describe('the file of settings', () => {
  it('is optional', () => {
    expect(file().read()).toMatchObject({ settings: defaultSettings, bad: [], error: null })
    expect(existsSync(dirname(path))).toBe(false)
  })

  it('is created for this account only, with a comment that explains it', async () => {
    expect(await file().change({ general: { name: 'Studio' } })).toMatchObject({ ok: true })
    expect(file().read().settings.general.name).toBe('Studio')
    expect(onDisk()).toContain('# Settings of Thruflux')
    if (isPosix) expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('keeps comments, order and unknown keys', async () => {
    write(
      [
        '# mine',
        'later = [1, 2]',
        '',
        'general.name = "Studio" # of the band',
        '[network] # how',
        'unknown = { a = 1 }',
        'relay = "only"',
        '[[network.servers]]',
        'name = "Work"',
        'url = "wss://meet.example.org" # theirs',
        '',
      ].join('\n'),
    )
    const changed = await file().change({
      network: { relay: 'never' },
      appearance: { theme: 'dark' },
    })
    expect(changed).toMatchObject({ ok: true, value: { bad: [], error: null } })
    const text = onDisk()
    for (const kept of ['# mine', 'later = [1, 2]', '# of the band', '# how', '# theirs']) {
      expect(text).toContain(kept)
    }
    expect(text).toContain('unknown = { a = 1 }')
    expect(text).toContain('relay = "never"')
    expect(file().read().settings).toMatchObject({
      ...{ general: { name: 'Studio' }, appearance: { theme: 'dark' } },
      network: { relay: 'never', servers: [{ name: 'Work', stun: [], turn: [] }] },
    })
  })

  it('drops settings that have their default again', async () => {
    await file().change({ receiving: { verify: true }, general: { name: 'x' } })
    await file().change({ receiving: { verify: null } })
    expect(onDisk()).not.toContain('verify')
    expect(file().read().settings.general.name).toBe('x')
  })

  it('keeps the comments of an empty table', async () => {
    write('version = 1\n\n# for the archive\n[receiving] # here\nverify = true\n')
    await file().change({ receiving: { verify: null } })
    expect(onDisk()).toBe('version = 1\n\n# for the archive\n[receiving] # here\n')
  })

  it.each([
    [{ network: { uploadLimit: 1e15 } }, 'network.uploadLimit'],
    [{ receiving: { folder: '/in/a\nb' } }, 'receiving.folder'],
  ])('refuses a value that a later start would reject: %j', async (patch, subject) => {
    write('[receiving]\nfolder = 5\n')
    const code = 'E_BAD_ARGUMENT'
    expect(await file().change(patch)).toMatchObject({ ok: false, error: { code, subject } })
    expect(onDisk()).toBe('[receiving]\nfolder = 5\n')
  })

  it('is used except for an invalid value, which it names', async () => {
    write('[receiving]\nverify = "perhaps"\nconflicts = "skip"\n')
    const { settings, error } = file().read()
    expect(settings.receiving).toMatchObject({ verify: false, conflicts: 'skip' })
    const detail = 'receiving.verify must be `true` or `false`.'
    expect(error).toEqual({ file: path, kind: 'bad-values', detail })
    expect(await file().change({ receiving: { verify: true } })).toMatchObject({ ok: true })
    expect(file().read().error).toBeNull()
  })

  it.each([
    ['no TOML', 'theme = dark\n', 'line 1'],
    ['a repeated key', '[a]\nb = 1\nb = 2\n', 'line 3'],
    ['binary', Buffer.from([0xff, 0xfe, 0, 1]), 'not UTF-8'],
    ['far too large', '#'.repeat(70_000), 'larger than'],
    ['far too many lines', '\n'.repeat(1001), 'more than 1000 lines'],
    ['nested without end', `x = ${'['.repeat(30_000)}`, ''],
    ['nested very deeply', `x = ${'['.repeat(40)}${']'.repeat(40)}`, 'deeply'],
    ['a key of very many parts', `${'a.'.repeat(30_000)}b = 1`, 'dots'],
    ['without a version that counts', 'version = "new"', 'version'],
  ])('that is %s is not used, and never overwritten', async (_what, content, reason) => {
    write(content)
    const { settings, refusal, error } = file().read()
    expect(settings).toEqual(cautiousSettings)
    expect(refusal).toMatchObject({ code: 'E_BAD_ARGUMENT', subject: path })
    expect(error).toMatchObject({ file: path, kind: 'malformed' })
    expect(error?.detail).toContain(reason)
    const refused = await file().change({ general: { name: 'x' } })
    if (refused.ok) throw new Error('it was overwritten')
    expect(describeError(refused.error)).toEqual({
      what: expect.stringContaining(path) as string,
      remedy: 'Correct the file, or move it away.',
    })
    expect(readFileSync(path)).toEqual(Buffer.from(content))
  })

  it('reveals no password of an invalid line', () => {
    write('turn = ["turn:dana:secret@host"] oops\n')
    expect(file().read().error?.detail).not.toContain('secret')
  })

  it('of a newer version is left alone', async () => {
    write('version = 2\ngeneral.name = "Studio"\n')
    expect(file().read()).toMatchObject({
      settings: cautiousSettings,
      refusal: { subject: path },
      error: { kind: 'newer' },
    })
    const refused = await file().change({ general: { name: 'x' } })
    expect(refused).toMatchObject({ ok: false, error: { subject: path } })
    expect(onDisk()).toContain('Studio')
  })

  it.skipIf(!isPosix)('is not read or written through a link', async () => {
    const elsewhere = join(dirname(dirname(path)), 'elsewhere')
    writeFileSync(elsewhere, 'general.name = "Other"')
    mkdirSync(dirname(path))
    symlinkSync(elsewhere, path)
    expect(file().read()).toMatchObject({
      ...{ settings: cautiousSettings, refusal: { subject: path } },
      ...{ error: { kind: 'unsafe', detail: 'it is a link' } },
    })
    expect(await file().change({ general: { name: 'x' } })).toMatchObject({ ok: false })
    expect(readFileSync(elsewhere, 'utf8')).toBe('general.name = "Other"')
  })

  it.skipIf(!isPosix)('is closed to other accounts if it was readable', () => {
    write('general.name = "Studio"')
    chmodSync(path, 0o644)
    expect(file().read().settings.general.name).toBe('Studio')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('reports that it cannot be written if its folder is a file', async () => {
    writeFileSync(dirname(path), '')
    expect(await file().change({ general: { name: 'x' } })).toMatchObject({
      ok: false,
      error: { code: 'E_BAD_ARGUMENT', subject: path },
    })
  })

  it('loses no change of simultaneous programs', async () => {
    const changes = [
      { general: { name: 'Studio' } },
      { receiving: { verify: true } },
      { appearance: { theme: 'dark' } },
      { sharing: { maxReceivers: 3 } },
      { network: { relay: 'only' } },
    ] as const
    const done = await Promise.all(changes.map((patch) => file().change(patch)))
    expect(done.every(({ ok }) => ok)).toBe(true)
    expect(file().read().settings).toMatchObject({
      ...{ general: { name: 'Studio' }, receiving: { verify: true } },
      ...{ appearance: { theme: 'dark' }, sharing: { maxReceivers: 3 } },
      network: { relay: 'only' },
    })
  })
})

describe('the settings of a running program', () => {
  it('follow their own changes and those of others', async () => {
    const store = new SettingsStore(file())
    const heard = vi.fn()
    store.subscribe(heard)
    expect(await store.change({ appearance: { theme: 'dark' } })).toEqual({ ok: true, value: null })
    expect(store.settings.appearance.theme).toBe('dark')
    await file().change({ appearance: { theme: 'light' } })
    store.reload()
    expect(store.settings.appearance.theme).toBe('light')
    store.reload()
    expect(heard).toHaveBeenCalledTimes(2)
  })

  it('stay while the file is invalid', () => {
    write('appearance.theme = "dark"')
    const store = new SettingsStore(file())
    write('appearance.theme = ')
    store.reload()
    expect(store.settings.appearance.theme).toBe('dark')
    expect(store.error).toMatchObject({ kind: 'malformed' })
  })

  it('report when the file becomes invalid, and when it is valid again', () => {
    const store = new SettingsStore(file())
    const record = vi.fn()
    followSettings(store, {
      record,
      setLimits: vi.fn(),
      configure: vi.fn(),
      tryAgain: vi.fn(),
      relayUse: () => 'automatic',
      setVisibility: vi.fn(),
    })
    write('appearance.theme = ')
    store.reload()
    store.reload()
    write('appearance.theme = "dark"')
    store.reload()
    const told = record.mock.calls.map(([event]) => (event as { type: string }).type)
    expect(told.filter((type) => type.startsWith('storage'))).toEqual([
      'storage-failed',
      'storage-mended',
    ])
    expect(told.at(-1)).toBe('settings-changed')
  })

  it('are reread when the file is replaced', async () => {
    const store = new SettingsStore(file())
    store.watch()
    const heard = new Promise((resolve) => store.subscribe(resolve))
    await file().change({ general: { name: 'Studio' } })
    expect(await heard).toMatchObject({ general: { name: 'Studio' } })
    store.close()
  })

  it('are not read from a file that an editor has just emptied', async () => {
    write('network.visible = false')
    const store = new SettingsStore(file())
    store.watch()
    const heard = vi.fn()
    store.subscribe(heard)
    const saved = new Promise((resolve) => store.subscribe(resolve))
    const noticed = new Promise((resolve) => {
      const watcher = watch(dirname(path), () => {
        watcher.close()
        resolve(null)
      })
    })
    const editor = openSync(path, 'w')
    await noticed
    await new Promise((resolve) => setImmediate(resolve))
    writeSync(editor, 'network.visible = false\nappearance.theme = "dark"')
    closeSync(editor)
    await saved
    expect(heard.mock.calls).toMatchObject([
      [{ network: { visible: 'off' }, appearance: { theme: 'dark' } }],
    ])
    store.close()
  })

  it('can be kept in memory', async () => {
    const memory = new SettingsInMemory()
    const heard = vi.fn()
    memory.subscribe(heard)
    await memory.change({ general: { name: 'Studio' } })
    await memory.change({ general: { name: null } })
    expect(heard).toHaveBeenCalledTimes(2)
    expect(memory.settings).toEqual(defaultSettings)
  })
})
