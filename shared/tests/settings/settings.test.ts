import { describe, expect, it } from 'vitest'
import {
  checkSetting,
  decodeSettings,
  decodeSettingsPatch,
  defaultSettings,
  patchDocument,
  settingsEntries,
  type SettingsEntry,
  settingsEntry,
} from '#shared/settings/settings'

const work = { name: 'Work', url: 'wss://meet.example.org', fallbacks: [], stun: [], turn: [] }

describe('every setting', () => {
  it.each(settingsEntries.map((entry) => [entry.key, entry] as const))(
    '%s says what it does, and takes its own default',
    (_key, { field }) => {
      expect(field.about).toMatch(/^[A-Z].*\.$/)
      expect(field.schema.safeParse(field.fallback)).toMatchObject({ success: true })
    },
  )

  it.each([
    ['general.name', 'Studio', 'Studio'],
    ['sharing.maxReceivers', ' 4 ', 4],
    ['sharing.oneReceiver', 'yes', true],
    ['sharing.exclude', 'node_modules, *.tmp,', ['node_modules', '*.tmp']],
    ['network.uploadLimit', '5MB/s', 5_000_000],
    ['appearance.theme', 'dark', 'dark'],
  ])('%s can be typed as %j', (key, text, value) => {
    const entry = settingsEntry(key)
    expect(entry?.field.parse(text)).toEqual(value)
    expect(entry && checkSetting(entry, value)).toEqual({ ok: true, value })
  })

  it.each([
    ['general.name', 'n'.repeat(65)],
    ['general.name', 'two\nlines'],
    ['general.name', '🙂'.repeat(17)],
    ['sharing.maxReceivers', 0],
    ['sharing.maxReceivers', 1.5],
    ['sharing.maxReceivers', '10'],
    ['receiving.folder', 'relative/folder'],
    ['receiving.conflicts', 'ask me'],
    ['network.uploadLimit', -1],
    ['network.servers', [{ ...work, url: 'wss://user@host' }]],
    ['network.servers', [{ ...work, more: 1 }]],
    ['network.servers', [work, work]],
    ['network.servers', Array.from({ length: 17 }, (_, index) => ({ ...work, name: `${index}` }))],
    ['appearance.theme', 'pink'],
  ])('%s refuses %j and names itself', (key, value) => {
    const entry = settingsEntry(key)
    const subject = { ok: false, error: { code: 'E_BAD_ARGUMENT', subject: key } }
    expect(entry && checkSetting(entry, value)).toMatchObject(subject)
  })
})

describe('a document', () => {
  it('has defaults for missing and invalid values', () => {
    const { settings, bad } = decodeSettings({
      general: { name: 'Studio', unknown: 1 },
      receiving: { conflicts: 'skip', verify: 'maybe' },
      appearance: 'dark',
    })
    expect(settings.general.name).toBe('Studio')
    expect(settings.receiving).toEqual({ ...defaultSettings.receiving, conflicts: 'skip' })
    expect(bad).toEqual([
      { key: 'appearance', reason: 'appearance must be a table.' },
      { key: 'receiving.verify', reason: 'receiving.verify must be `true` or `false`.' },
    ])
  })

  it('has a cautious value if a private setting is invalid', () => {
    const { settings, bad } = decodeSettings({
      general: { keepHistory: 'no' },
      network: { relay: 'onyl', visible: 'yes' },
    })
    expect(settings.general.keepHistory).toBe(false)
    expect(settings.network).toEqual({ ...defaultSettings.network, relay: 'only', visible: 'off' })
    expect(bad).toHaveLength(3)
    expect(decodeSettings({ network: 5 }).settings.network).toMatchObject({
      ...{ relay: 'only', visible: 'off', portMapping: false, proxy: '' },
    })
  })

  it('has no server when two have one name', () => {
    const { settings, bad } = decodeSettings({ network: { servers: [work, work] } })
    expect(settings.network.servers).toEqual([])
    expect(bad).toEqual([{ key: 'network.servers', reason: 'Two servers are called "Work".' }])
  })

  it('ignores properties that all objects inherit', () => {
    const raw = JSON.parse('{"__proto__":{"general":{"name":"x"}},"constructor":1}') as object
    expect(decodeSettings(raw as Record<string, unknown>)).toEqual({
      ...{ settings: defaultSettings, bad: [] },
    })
  })

  it("keeps values that a patch doesn't mention, and drops those reset to their default", () => {
    const before = { general: { name: 'Studio', other: 1 }, appearance: { theme: 'dark' }, x: 1 }
    const patch = { general: { name: 'Desk' }, appearance: { theme: null } } as const
    expect(patchDocument(before, patch)).toEqual({
      ...{ general: { name: 'Desk', other: 1 }, appearance: {}, x: 1 },
    })
  })
})

describe('a patch from the window', () => {
  it('is decoded setting by setting', () => {
    const patch = { receiving: { verify: true }, general: { name: null } }
    expect(decodeSettingsPatch(patch)).toEqual({ ok: true, value: patch })
  })

  const paths = ['/home/mina/.ssh', 'C:\\Windows\\Temp', '\\\\evil.example\\share']

  it("can't set paths, only reset them", () => {
    const marked = settingsEntries.filter(({ field }) => field.isPath)
    expect(marked.map(({ key }) => key)).toEqual(['receiving.folder', 'advanced.qlogFolder'])
    for (const { section, name, key } of marked) {
      for (const value of paths) {
        const error = { code: 'E_BAD_ARGUMENT', subject: key }
        expect(decodeSettingsPatch({ [section]: { [name]: value } })).toMatchObject({ error })
      }
      const back = { [section]: { [name]: null } }
      expect(decodeSettingsPatch(back)).toEqual({ ok: true, value: back })
    }
  })

  it('marks every setting that accepts a path, except for names and patterns', () => {
    const takesPath = ({ field }: SettingsEntry): boolean =>
      paths.some((path) => [path, [path]].some((value) => field.schema.safeParse(value).success))
    const unmarked = settingsEntries.filter((entry) => takesPath(entry) && !entry.field.isPath)
    // These are the name that others see, a pattern for names, and a server's name: no program opens them as paths.
    const keys = ['general.name', 'sharing.exclude', 'network.defaultServer']
    expect(unmarked.map(({ key }) => key)).toEqual(keys)
  })

  it.each([
    [null],
    [[]],
    ['general'],
    [{ general: 1 }],
    [{ nowhere: { name: 'x' } }],
    [{ general: { constructor: 'x' } }],
    [JSON.parse('{"__proto__":{"name":"x"}}')],
    [{ appearance: { theme: 'pink' } }],
  ])('is refused when it is %j', (raw) => {
    expect(decodeSettingsPatch(raw)).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
  })
})
